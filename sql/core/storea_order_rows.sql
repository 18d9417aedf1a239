-- storea orders as the row endpoint serves them: as exported, with columns computed from their lines [D18].
-- Grain: one row per order, counted or not.
-- Key: document_id
-- Kept for: row endpoints
-- Partition: days of creation_date
-- Order: date_trunc('millisecond', creation_date) nulls last, document_id
-- Per: order version

with

costed as (

    select
        storea_orders.* exclude (items, returns, removals, email, customer_id),
        coalesce(order_totals.units, 0) as units,
        coalesce(order_totals.units_with_cost, 0) as units_with_cost,
        case
            when order_totals.units_with_value < order_totals.units then 'incomplete_gross_value'
            when order_totals.units_with_cost < order_totals.units then 'incomplete_cost'
        end as margin_nd_reason,
        coalesce(order_totals.kept_value, 0) as kept_value,
        coalesce(order_totals.kept_cost, 0) as kept_cost
    from staging.storea_orders
    left join order_totals
        on order_totals.integration_id = storea_orders.integration_id
        and order_totals.order_id = storea_orders.order_id

)

select
    * exclude (units, units_with_cost, margin_nd_reason, kept_value, kept_cost),
    rounded_sum(kept_value)::decimal(38, 6) as net_revenue,
    case when margin_nd_reason is null then rounded_sum(kept_cost)::decimal(38, 6) end as retained_cogs,
    case when margin_nd_reason is null then rounded_sum(kept_value - kept_cost)::decimal(38, 6) end as margin,
    case
        when units = 0 then 0
        else ratio(units_with_cost / units)
    end as cost_coverage_ratio,
    margin_nd_reason
from costed
