-- A product's sales per day or week of the period, compared with the period of the same length right before it.
-- Grain: one row; no row when the store has no such product, neither in its catalog nor ever sold. `data` and
-- `previous.data` have the same buckets, aligned by `index`; days without sales are zeros.
-- Parameters: integration_id, product_id, date_from, date_to, now, granularity (day, week).
-- Follows [D33], [D39]. Weeks are seven days from date_from; the last may be shorter.

with

store as (

    from requested_store()

),

windows as (

    select
        unnest([
            {
                is_previous: false,
                first_on: date_from(),
                last_on: date_to()
            },
            {
                is_previous: true,
                first_on: date_from()
                    - (date_to() - date_from() + 1)::int,
                last_on: date_from() - 1
            }
        ], recursive := true),
        case when getvariable('p').granularity = 'week' then 7 else 1 end as bucket_days

),

buckets as (

    select
        windows.is_previous,
        bucket.bucket_no,
        windows.first_on + (bucket.bucket_no * windows.bucket_days)::int as first_on,
        least(windows.first_on + ((bucket.bucket_no + 1) * windows.bucket_days - 1)::int, windows.last_on) as last_on
    from windows
    cross join lateral (
        select unnest(generate_series(0, (windows.last_on - windows.first_on) // windows.bucket_days)) as bucket_no
    ) as bucket

),

-- Sales of the product in each bucket.
sold_totals as (

    select
        windows.is_previous,
        (sold.sold_on - windows.first_on) // windows.bucket_days as bucket_no,
        sum(sold.units) as units,
        sum(sold.returned_units) as returned_units,
        sum(sold.units_with_value) as units_with_value,
        sum(sold.units_with_cost) as units_with_cost,
        sum(sold.net_value) as net_value,
        sum(sold.kept_cost) as kept_cost,
        count(*) as orders
    from sales_of_product() as sold
    join windows on sold.sold_on between windows.first_on and windows.last_on
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
        *,
        value_if_known(net_value, units, units_with_value) as net_sales,
        margin_nd_reason(units, units_with_value, units_with_cost) as margin_reason
    from bucket_totals

),

series as (

    select
        is_previous,
        sum(units) > 0 as has_sales,
        list(
            {
                index: bucket_no,
                'from': first_on,
                'to': last_on,
                netSales: money(net_sales),
                netUnits: units - returned_units,
                orders: orders,
                cogs: money(case when margin_reason is null then kept_cost end),
                marginTotal: money(case when margin_reason is null then net_value - kept_cost end),
                marginNdReason: margin_reason
            }
            order by bucket_no
        ) as points
    from points
    group by is_previous

),

states as (

    select
        series.*,
        block_reason(store.as_of, series.has_sales, 'no_period_sales') as reason
    from series
    cross join store

)

select
    block_state(present.reason) as state,
    present.reason,
    instant_text(store.as_of) as "asOf",
    store.integration_id as "integrationId",
    product_identities.product_id as "productId",
    getvariable('p').granularity as granularity,
    case when getvariable('p').granularity = 'week' then 7 else 1 end as "bucketDays",
    {'from': date_from(), 'to': date_to()} as period,
    {basis: 'requested', granularity: getvariable('p').granularity} as "periodApplied",
    present.points as data,
    {
        state: block_state(previous.reason),
        reason: previous.reason,
        'window': {'from': windows.first_on, 'to': windows.last_on},
        data: previous.points
    } as previous
from store
join product_identities
    on product_identities.integration_id = store.integration_id
    and product_identities.product_id = requested_product_id()
cross join states as present
cross join states as previous
cross join windows
where not present.is_previous and previous.is_previous and windows.is_previous
