-- The refunds of counted orders, and what each gave back of its order's revenue [D73].
-- Grain: one row per refund with money, or with units of which the export has no amounts: then `amount` is null. `amount` is what is
-- left after the cut at the order's revenue, `excess` what was cut. `refund_no` is the place of the refund in the order's document,
-- `refund_id` the store's own id, if it has one. `ordered_on` is the order's day.
-- Follows [D4], [D18], [D73].
-- Key: integration_id, order_id, refund_no
-- Kept for: analyses
-- Partition: days of ordered_on
-- Order: refunded_on
-- Per: order version

with

storea_packages as (

    select
        integration_id,
        order_id,
        generate_subscripts(return_packages, 1) - 1 as refund_no,
        unnest(return_packages, recursive := true)
    from (
        select integration_id, order_id, list_transform(return_packages, lambda p: {
            invoice_value: p.invoice_value, refund_value: p.refund_value, returned_at: p.returned_at
        }) as return_packages
        from staging.storea_orders
        where len(return_packages) > 0
    )

),

-- Returns that landed without their package are refunds of their own.
storea_returns as (

    select
        coalesce(packages.integration_id, lines.integration_id) as integration_id,
        coalesce(packages.order_id, lines.order_id) as order_id,
        coalesce(packages.refund_no, lines.refund_no) as refund_no,
        coalesce(packages.returned_at, lines.came_back_at) as refunded_at,
        packages.invoice_value,
        packages.refund_value
    from storea_packages as packages
    full join (
        select line_returns.integration_id, line_returns.order_id, refund_no, min(came_back_at) as came_back_at
        from line_returns
        join integrations on integrations.integration_id = line_returns.integration_id
        where integrations.connector = 'storea'
        group by all
    ) as lines
        on lines.integration_id = packages.integration_id
        and lines.order_id = packages.order_id
        and lines.refund_no = packages.refund_no

),

returned_values as (

    select
        returned_units.integration_id,
        returned_units.order_id,
        returned_units.refund_no,
        sum(part_of(order_lines."value", returned_units.units, order_lines.quantity)) as "value"
    from returned_units
    join order_lines
        on order_lines.integration_id = returned_units.integration_id
        and order_lines.order_id = returned_units.order_id
        and order_lines.line_no = returned_units.line_no
    group by all

),

sold_values as (

    select integration_id, order_id, sum(part_of("value", sold_units, quantity)) as "value"
    from order_lines
    semi join storea_returns
        on storea_returns.integration_id = order_lines.integration_id and storea_returns.order_id = order_lines.order_id
    group by all

),

storea_refunds as (

    select
        storea_returns.integration_id,
        storea_returns.order_id,
        storea_returns.refund_no,
        refunded_at,
        case
            when invoice_value > 0 then invoice_value
            when refund_value > 0 then refund_value
            else coalesce(returned_values."value", 0)
                + coalesce(share_of(store_orders.tax_charged, returned_values."value", sold_values."value"), 0)
        end as amount
    from storea_returns
    join store_orders
        on store_orders.integration_id = storea_returns.integration_id and store_orders.order_id = storea_returns.order_id
    left join returned_values
        on returned_values.integration_id = storea_returns.integration_id
        and returned_values.order_id = storea_returns.order_id
        and returned_values.refund_no = storea_returns.refund_no
    left join sold_values
        on sold_values.integration_id = storea_returns.integration_id and sold_values.order_id = storea_returns.order_id

),

-- Few orders have any: the others are read once.
storeb_refunded as materialized (

    select integration_id, order_id, taxes_included, refunds, refund_totals
    from staging.storeb_orders
    where len(refunds) > 0 or len(refund_totals) > 0

),

storeb_totals as (

    select
        integration_id,
        order_id,
        generate_subscripts(refund_totals, 1) - 1 as refund_no,
        unnest(refund_totals, recursive := false) as total
    from storeb_refunded

),

storeb_lines as (

    select
        integration_id,
        order_id,
        taxes_included,
        list_transform(refunds, lambda r: r.refund_id) as refund_ids,
        generate_subscripts(refunds, 1) - 1 as return_no,
        unnest(refunds, recursive := false) as line
    from storeb_refunded

),

-- What each part of a refund says: `money` is what was paid back, `off` what came off the order.
storeb_parts as (

    select
        integration_id,
        order_id,
        refund_no,
        total.refund_id,
        coalesce(total.processed_at, total.created_at) as refunded_at,
        coalesce(total.repaid, total.total_refunded) as money,
        case when coalesce(total.shipping, total.adjustments) is not null
            then coalesce(total.shipping, 0) - coalesce(total.adjustments, 0) end as off,
        0 as units
    from storeb_totals

    union all

    select
        integration_id,
        order_id,
        refund_place(line.refund_no, refund_ids, line.refund_id, return_no),
        line.refund_id,
        coalesce(line.processed_at, line.created_at),
        null,
        line.subtotal + if(coalesce(taxes_included, false), 0, coalesce(line.tax, 0)),
        line.quantity
    from storeb_lines

),

storeb_sums as (

    select
        integration_id,
        order_id,
        refund_no,
        min(refund_id) as refund_id,
        min(refunded_at) as refunded_at,
        sum(money) as money,
        sum(off) as off,
        sum(units) > 0 as has_units
    from storeb_parts
    group by integration_id, order_id, refund_no

),

all_refunds as (

    select integration_id, order_id, refund_no, null::varchar as refund_id, refunded_at, amount::decimal(38, 18) as amount
    from storea_refunds

    union all

    select
        integration_id,
        order_id,
        refund_no,
        refund_id,
        refunded_at,
        case
            when coalesce(money, off) is not null then greatest(money, off, 0)
            when not has_units then 0
        end
    from storeb_sums

),

counted as (

    select
        all_refunds.* exclude (refunded_at),
        store_orders.ordered_on,
        coalesce(local_day(refunded_at, integrations.timezone), store_orders.ordered_on) as refunded_on,
        greatest(store_orders.revenue, 0) as revenue,
        sum(amount) over (
            partition by all_refunds.integration_id, all_refunds.order_id order by refunded_at nulls first, refund_no
            rows unbounded preceding
        ) as amount_to_date
    from all_refunds
    join store_orders
        on store_orders.integration_id = all_refunds.integration_id and store_orders.order_id = all_refunds.order_id
    join integrations on integrations.integration_id = all_refunds.integration_id
    where store_orders.is_counted and (amount is null or amount > 0)

),

-- Each takes what the refunds before it have left of the revenue.
limited as (

    select
        *,
        -- The least of an amount and null is the amount.
        case
            when amount is not null then least(revenue, amount_to_date) - least(revenue, amount_to_date - amount)
        end::decimal(38, 18) as amount_in_revenue
    from counted

)

select
    integration_id,
    order_id,
    refund_no,
    refund_id,
    ordered_on,
    refunded_on,
    amount_in_revenue as amount,
    (amount - amount_in_revenue)::decimal(38, 18) as excess
from limited
