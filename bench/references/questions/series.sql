-- A product's sales day by day of the period, then of the period of the same length before it.

with

{{product}},

day_totals as (

    select sold_on as day_on, count(*) as orders, {{sums}}
    from product_sales
    where {{of_product}} and sold_on between $previous_date_from and $date_to
    group by day_on

),

-- The period before ends on the day before the period.
days as (

    select
        $previous_date_from + generate_series as day_on,
        $previous_date_from + generate_series < $date_from as is_previous,
        generate_series % ($date_from - $previous_date_from) as day_no
    from generate_series(0, $date_to - $previous_date_from)

),

points as (

    select
        day_on,
        is_previous,
        day_no,
        block_reason(
            {{of_store: last_landed_at}}, $now, sum(coalesce(units, 0)) over (partition by is_previous) > 0, 'no_period_sales'
        ) as reason,
        coalesce(orders, 0) as orders,
        coalesce(units, 0) as units,
        coalesce(returned_units, 0) as returned_units,
        coalesce(net_value, 0) as net_value,
        coalesce(kept_cost, 0) as kept_cost,
        coalesce(units_with_value, 0) as units_with_value,
        {{margin_reason}} as margin_reason
    from days
    left join day_totals using (day_on)

)

select
    block_state(reason) as state,
    reason,
    day_no as index,
    day_on as "from",
    day_on as "to",
    amount(case when units = 0 or units_with_value > 0 then net_value end) as "netSales",
    units - returned_units as "netUnits",
    orders,
    amount(case when margin_reason is null then kept_cost end) as cogs,
    amount(case when margin_reason is null then net_value - kept_cost end) as "marginTotal",
    margin_reason as "marginNdReason"
from points
order by is_previous, day_no
