-- A product's sales day by day of the period, then of the period of the same length before it.

with

product as (

    select products.product_no
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
        coalesce(sum(units_with_value), 0) as units_with_value,
        coalesce(sum(units_with_cost), 0) as units_with_cost,
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

)

select
    days.day_no as index,
    days.day_on as "from",
    days.day_on as "to",
    amount(case when sold.units is null then 0 when sold.units_with_value > 0 then sold.net_value end) as "netSales",
    coalesce(sold.units - sold.returned_units, 0) as "netUnits",
    coalesce(sold.orders, 0) as orders,
    amount(case
        when sold.units is null then 0
        when sold.units_with_value >= sold.units and sold.units_with_cost >= sold.units then sold.kept_cost
    end) as cogs,
    amount(case
        when sold.units is null then 0
        when sold.units_with_value >= sold.units and sold.units_with_cost >= sold.units then sold.net_value - sold.kept_cost
    end) as "marginTotal",
    case
        when sold.units_with_value < sold.units then 'incomplete_gross_value'
        when sold.units_with_cost < sold.units then 'incomplete_cost'
    end as "marginNdReason"
from days
left join day_totals as sold on sold.sold_on = days.day_on
order by days.is_previous, days.day_no
