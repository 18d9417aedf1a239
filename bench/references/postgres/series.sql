-- A product's sales day by day of the period, then of the period of the same length before it.

with

product as (

    select products.product_no, stores.last_landed_at
    from products
    join stores using (store_no)
    where stores.integration_id = $integration_id::uuid and products.product_id = $product_id

),

day_totals as (

    select
        sold_on,
        count(*) as orders,
        sum(units) as units,
        sum(returned_units) as returned_units,
        sum(units_with_value) as units_with_value,
        sum(units_with_cost) as units_with_cost,
        coalesce(sum(net_value), 0) as net_value,
        coalesce(sum(kept_cost), 0) as kept_cost
    from product_sales
    where product_no = (select product_no from product)
        and sold_on between $date_from::date - ($date_to::date - $date_from::date + 1) and $date_to::date
    group by sold_on

),

days as (

    select false as is_previous, day_no, $date_from::date + day_no as day_on
    from generate_series(0, $date_to::date - $date_from::date) as day_no
    union all
    select true, day_no, $date_from::date - ($date_to::date - $date_from::date + 1) + day_no
    from generate_series(0, $date_to::date - $date_from::date) as day_no

),

points as (

    select
        days.*,
        coalesce(sum(sold.units) over (partition by days.is_previous), 0) > 0 as has_base,
        coalesce(sold.units, 0) as units,
        coalesce(sold.returned_units, 0) as returned_units,
        coalesce(sold.orders, 0) as orders,
        coalesce(sold.units_with_value, 0) as units_with_value,
        coalesce(sold.net_value, 0) as net_value,
        coalesce(sold.kept_cost, 0) as kept_cost,
        case
            when sold.units_with_value < sold.units then 'incomplete_gross_value'
            when sold.units_with_cost < sold.units then 'incomplete_cost'
        end as margin_reason
    from days
    left join day_totals as sold on sold.sold_on = days.day_on

)

select
    block_state(block_reason(product.last_landed_at, $now::timestamp, points.has_base, 'no_period_sales')) as state,
    block_reason(product.last_landed_at, $now::timestamp, points.has_base, 'no_period_sales') as reason,
    points.day_no as index,
    points.day_on as "from",
    points.day_on as "to",
    amount(case when units = 0 or units_with_value > 0 then net_value end) as "netSales",
    units - returned_units as "netUnits",
    orders,
    case when margin_reason is null then amount(kept_cost) end as cogs,
    case when margin_reason is null then amount(net_value - kept_cost) end as "marginTotal",
    margin_reason as "marginNdReason"
from points
cross join product
order by points.is_previous, points.day_no
