-- storeb orders as the row endpoint serves them: as exported, with the payment that they go by and columns computed from their
-- lines.
-- Grain: one row per order, counted or not.
-- Follows [D18], [D88].
-- Key: document_id
-- Kept for: row endpoints
-- Partition: days of processed_at
-- Order: date_trunc('millisecond', processed_at) nulls last, document_id
-- Per: order version

with

costed as (

    select
        storeb_orders.* exclude (items, refunds, refund_totals, landing_site, payment_company, _landing_order, carries_source)
        replace (
            coalesce(storeb_orders.processed_at, storeb_orders.created_at) as processed_at,
            store_orders.payment_method as payment_method
        ),
        store_orders.payment_group as payment_method_group,
        coalesce(order_totals.units, 0) as units,
        coalesce(order_totals.units_with_cost, 0) as units_with_cost,
        case
            when order_totals.units_with_value < order_totals.units then 'incomplete_gross_value'
            when order_totals.units_with_cost < order_totals.units then 'incomplete_cost'
        end as margin_nd_reason,
        coalesce(order_totals.kept_value, 0) as kept_value,
        coalesce(order_totals.kept_cost, 0) as kept_cost
    from staging.storeb_orders
    join store_orders
        on store_orders.integration_id = storeb_orders.integration_id and store_orders.order_id = storeb_orders.order_id
    left join order_totals
        on order_totals.integration_id = storeb_orders.integration_id and order_totals.order_id = storeb_orders.order_id

)

select
    * exclude (units, units_with_cost, margin_nd_reason, kept_value, kept_cost, is_test),
    is_test as test,
    rounded_sum(kept_value)::decimal(38, 6) as net_revenue,
    case when margin_nd_reason is null then rounded_sum(kept_cost)::decimal(38, 6) end as retained_cogs,
    case when margin_nd_reason is null then rounded_sum(kept_value - kept_cost)::decimal(38, 6) end as margin,
    case
        when units = 0 then 0
        else ratio(units_with_cost / units)
    end as cost_coverage_ratio,
    margin_nd_reason
from costed
