-- The hundred products of a store with most net sales in the period, each with its metrics.

with
    (select store_no from stores where integration_id = {integration_id:String}) as store,
    (select least({today:Date}, toDate(last_landed_at)) from stores where integration_id = {integration_id:String}) as as_of_on,
    (select has_returns from stores where integration_id = {integration_id:String}) as has_returns,
    valued_units >= sold_units and costed_units >= sold_units as has_margin,
    if(sold_units = 0 or valued_units > 0, net_total, null) as net_sales,

    sold as (
        select
            product_no,
            count() as orders,
            sum(units) as sold_units,
            sum(returned_units) as units_back,
            sum(units_with_value) as valued_units,
            sum(units_with_cost) as costed_units,
            sum(gross_value) as gross_sales,
            sum(net_value) as net_total,
            sum(kept_cost) as cost,
            groupBitmapIf(customer_no, customer_no <> 0 and not is_recurring) as new_customers,
            groupBitmapIf(customer_no, customer_no <> 0 and is_recurring) as recurring_customers
        from product_sales
        where store_no = store and sold_on between {date_from:Date} and {date_to:Date}
        group by product_no
    ),

    recent as (
        select product_no, sum(units) as recent_units
        from product_sales
        where store_no = store and sold_on between as_of_on - 30 and as_of_on - 1
        group by product_no
    ),

    cohorts as (
        select
            product_no,
            count() as entered,
            countIf(elapsed_days = 180) as matured,
            sumIf(net_revenue_180, elapsed_days = 180) as revenue_180,
            countIf(elapsed_days = 180 and has_repurchased_180) as repurchased_180,
            sum(net_revenue) as revenue_to_date,
            countIf(has_repurchased) as repurchased,
            sum(elapsed_days) as elapsed
        from (select *, toInt32(least(greatest(as_of_on - entered_on, 0), 180)) as elapsed_days from product_entries)
        where store_no = store and entered_on between {date_from:Date} and {date_to:Date}
        group by product_no
    )

select
    product_id as "productId",
    name as "productName",
    if(is_active, 'active', 'inactive') as status,
    category_id as "categoryId",
    money(if(sold_units = 0 or valued_units > 0, gross_sales, null)) as "grossSales",
    money(net_sales) as "netSales",
    sold_units as "grossUnits",
    sold_units - units_back as "netUnits",
    money(per(net_sales, orders)) as "averageTicket",
    money(if(has_margin, cost, null)) as "cogs",
    money(if(has_margin, net_total - cost, null)) as "marginTotal",
    ratio(if(has_margin, per(net_total - cost, net_sales), null)) as "marginAverage",
    new_customers as "newCustomers",
    recurring_customers as "recurringCustomers",
    entered as "entryCustomers",
    matured as "matureEntryCustomers",
    money(per(revenue_180, matured)) as "ltv180",
    ratio(per(repurchased_180, matured)) as "repurchaseRate180",
    money(per(revenue_to_date, entered)) as "ltvToDate",
    ratio(per(repurchased, entered)) as "repurchaseRateToDate",
    money(per(elapsed, entered)) as "cohortElapsedDaysAverage",
    available as "availableStock",
    ratio(per(recent_units, 30)) as "velocity30d",
    money(per(available * 30, recent_units)) as "daysOfStock",
    if(has_returns, ratio(per(units_back, sold_units)), null) as "returnRate",
    stock_state as "inventoryState",
    multiIf(entered = 0, 'no_base', matured = entered, 'mature', matured > 0, 'partial', 'maturing') as "cohortState"
from (select * from products where store_no = store) as products
left join sold using (product_no)
left join recent using (product_no)
left join cohorts using (product_no)
where is_catalogued or sold_units > 0
order by money(net_sales) desc nulls last, product_id
limit 100
