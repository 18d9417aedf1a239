-- A product's sales per day or week of the period, compared with the period of the same length right before it.
-- Grain: one row; no row when the store has no such product, neither in its catalog nor ever sold. `data` and
-- `previous.data` have the same buckets, aligned by `index`; days without sales are zeros.
-- Parameters: integration_id, product_id, date_from, date_to, now, granularity (day, week).
-- Follows [D33], [D39]. Weeks are seven days from date_from; the last may be shorter.

with

-- Read once: each mention of a parameter makes a plan longer.
requested as (

    select
        date_from() as from_on,
        date_to() as to_on,
        case when series_step() = 'week' then 7 else 1 end as bucket_days

),

spans as (

    select *, (to_on - from_on + 1)::int as days
    from requested

),

windows as (

    select
        unnest([
            {is_previous: false, first_on: from_on, last_on: to_on},
            {is_previous: true, first_on: from_on - days, last_on: from_on - 1}
        ], recursive := true),
        bucket_days
    from spans

),

buckets as (

    select is_previous, first_on, last_on, bucket_days, unnest(generate_series(0, (last_on - first_on) // bucket_days)) as bucket_no
    from windows

),

-- Sales of the product in each bucket.
sold_totals as (

    select
        sold.sold_on < spans.from_on as is_previous,
        (
            sold.sold_on - case when sold.sold_on < spans.from_on then spans.from_on - spans.days else spans.from_on end
        ) // spans.bucket_days as bucket_no,
        sum(sold.units) as units,
        sum(sold.returned_units) as returned_units,
        sum(sold.units_with_value) as units_with_value,
        sum(sold.units_with_cost) as units_with_cost,
        sum(sold.net_value) as net_value,
        sum(sold.kept_cost) as kept_cost,
        count(*) as orders
    from sales_of_product() as sold
    -- The two windows follow each other.
    join spans on sold.sold_on between spans.from_on - spans.days and spans.to_on
    group by all

),

bucket_totals as (

    select
        buckets.*,
        or_zero(sold_totals.units)::bigint as units,
        or_zero(sold_totals.returned_units)::bigint as returned_units,
        or_zero(sold_totals.units_with_value)::bigint as units_with_value,
        or_zero(sold_totals.units_with_cost)::bigint as units_with_cost,
        or_zero(sold_totals.net_value) as net_value,
        or_zero(sold_totals.kept_cost) as kept_cost,
        or_zero(sold_totals.orders) as orders
    from buckets
    left join sold_totals
        on sold_totals.is_previous = buckets.is_previous
        and sold_totals.bucket_no = buckets.bucket_no

),

points as (

    select
        is_previous,
        bucket_no,
        units,
        {
            index: bucket_no,
            'from': first_on + (bucket_no * bucket_days)::int,
            'to': least(first_on + ((bucket_no + 1) * bucket_days - 1)::int, last_on),
            netSales: money(value_if_known(net_value, units, units_with_value)),
            netUnits: units - returned_units,
            orders: orders,
            cogs: money(cost_if_known(kept_cost, units, units_with_value, units_with_cost)),
            marginTotal: money(margin_if_known(net_value, kept_cost, units, units_with_value, units_with_cost)),
            marginNdReason: margin_nd_reason(units, units_with_value, units_with_cost)
        } as point
    from bucket_totals

),

series as (

    select
        sum(units) filter (not is_previous) > 0 as has_sales,
        sum(units) filter (is_previous) > 0 as had_sales,
        list(point order by bucket_no) filter (not is_previous) as points,
        list(point order by bucket_no) filter (is_previous) as previous_points
    from points

),

states as (

    select
        store.integration_id,
        store.as_of,
        series.points,
        series.previous_points,
        block_reason(store.is_stale, series.has_sales, 'no_period_sales') as reason,
        block_reason(store.is_stale, series.had_sales, 'no_period_sales') as previous_reason
    from requested_store() as store
    cross join series

)

select
    block_state(states.reason) as state,
    states.reason,
    instant_text(states.as_of) as "asOf",
    states.integration_id as "integrationId",
    product.product_id as "productId",
    series_step() as granularity,
    spans.bucket_days as "bucketDays",
    {'from': spans.from_on, 'to': spans.to_on} as period,
    {basis: 'requested', granularity: series_step()} as "periodApplied",
    states.points as data,
    {
        state: block_state(states.previous_reason),
        reason: states.previous_reason,
        'window': {'from': spans.from_on - spans.days, 'to': spans.from_on - 1},
        data: states.previous_points
    } as previous
from states
cross join spans
cross join requested_product() as product
