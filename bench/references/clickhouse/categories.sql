-- The totals of each category over the store's products: orders and customers count once in each.

with
    (select store_no from stores where integration_id = {integration_id:String}) as store,
    (select least({today:Date}, toDate(last_landed_at)) from stores where integration_id = {integration_id:String}) as as_of_on,
    (select has_returns from stores where integration_id = {integration_id:String}) as has_returns,
    valued_units >= sold_units and costed_units >= sold_units as has_margin,
    if(sold_units = 0 or valued_units > 0, net_total, null) as net_sales,

    -- The products of the catalog, and those sold in the period that it lacks, once for each of their categories.
    members as (
        select toString(rollup_id) as group_id, product_no, stock_state, available
        from products
        join categories using (store_no, category_id)
        where store_no = store
            and (
                is_catalogued
                or product_no in (select product_no from product_sales where store_no = store and sold_on between {date_from:Date} and {date_to:Date})
            )
    ),

    sold as (
        select
            group_id,
            groupBitmap(order_no) as orders,
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
        join members using (product_no)
        where store_no = store and sold_on between {date_from:Date} and {date_to:Date}
        group by group_id
    ),

    recent as (
        select group_id, sum(units) as recent_units
        from product_sales
        join members using (product_no)
        where store_no = store and sold_on between as_of_on - 30 and as_of_on - 1
        group by group_id
    ),

    -- The revenue of a customer is the same for each product of the first purchase.
    entries as (
        select
            group_id,
            customer_no,
            any(net_revenue_180) as net_revenue_180,
            any(net_revenue) as net_revenue,
            any(has_repurchased_180) as has_repurchased_180,
            any(has_repurchased) as has_repurchased,
            toInt32(least(greatest(as_of_on - any(entered_on), 0), 180)) as elapsed_days
        from product_entries
        join members using (product_no)
        where store_no = store and entered_on between {date_from:Date} and {date_to:Date}
        group by group_id, customer_no
    ),

    cohorts as (
        select
            group_id,
            count() as entered,
            countIf(elapsed_days = 180) as matured,
            sumIf(net_revenue_180, elapsed_days = 180) as revenue_180,
            countIf(elapsed_days = 180 and has_repurchased_180) as repurchased_180,
            sum(net_revenue) as revenue_to_date,
            countIf(has_repurchased) as repurchased,
            sum(elapsed_days) as elapsed
        from entries
        group by group_id
    ),

    stocks as (
        select
            group_id,
            multiIf(
                countIf(stock_state = 'monitored') > 0, 'monitored',
                countIf(stock_state = 'unlimited') > 0, 'unlimited',
                countIf(stock_state = 'unmonitored') > 0, 'unmonitored',
                'unknown'
            ) as stock_state,
            sum(available) as available
        from members
        group by group_id
    ),

    nodes as (
        select toString(rollup_id) as group_id, rollup_name, rollup_parent_id, rollup_depth, place
        from categories
        where store_no = store and category_id = rollup_id
    )

select
    group_id as "categoryId",
    rollup_name as "categoryName",
    nullIf(rollup_parent_id, '') as "parentCategoryId",
    rollup_depth as depth,
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
from stocks
join nodes using (group_id)
left join sold using (group_id)
left join recent using (group_id)
left join cohorts using (group_id)
order by place, group_id
