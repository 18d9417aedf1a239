-- A product's sales day by day of the period, then of the period of the same length before it.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,
    {date_from:Date} as first_day,
    {date_to:Date} as last_day,
    toUInt32(last_day - first_day + 1) as day_count,

    day_totals as (
        select
            sold_on as day_on,
            count() as orders,
            sum(units) as sold_units,
            sum(returned_units) as units_back,
            sum(units_with_value) as valued_units,
            sum(units_with_cost) as costed_units,
            sum(net_value) as net_total,
            sum(kept_cost) as cost
        from product_sales
        where store_no = store and product_no = product and sold_on between first_day - day_count and last_day
        group by day_on
    ),

    days as (
        select number >= day_count as is_previous, number % day_count as day_no,
            toDate(if(is_previous, first_day - day_count, first_day) + day_no) as day_on
        from numbers(2 * day_count)
    )

select
    block_reason(store_as_of, {now:DateTime('UTC')}, sum(sold_units) over (partition by is_previous) > 0, 'no_period_sales') as "reason",
    block_state("reason") as "state",
    day_no as "index",
    day_on as "from",
    day_on as "to",
    money(if(sold_units = 0 or valued_units > 0, net_total, null)) as "netSales",
    sold_units - units_back as "netUnits",
    orders,
    money(if(valued_units >= sold_units and costed_units >= sold_units, cost, null)) as cogs,
    money(if(valued_units >= sold_units and costed_units >= sold_units, net_total - cost, null)) as "marginTotal",
    multiIf(valued_units < sold_units, 'incomplete_gross_value', costed_units < sold_units, 'incomplete_cost', null) as "marginNdReason"
from days
left join day_totals using (day_on)
order by is_previous, day_no
