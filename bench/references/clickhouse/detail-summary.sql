-- A product's metrics of the period, which are its row of the listing, and the base of its return rate.

with
    (
        select tuple(store_no, last_landed_at, has_returns)
        from stores
        where integration_id = {integration_id:String}
    ) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    asked_store.3 as has_returns,
    least({today:Date}, toDate(store_as_of)) as as_of_on,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,
    multiIf(valued_units < sold_units, 'incomplete_gross_value', costed_units < sold_units, 'incomplete_cost', null) as margin_reason,
    if(sold_units = 0 or valued_units > 0, net_total, null) as net_sales,

    sold as (
        select
            count() as orders,
            sum(units) as sold_units,
            sum(returned_units) as units_back,
            sum(units_with_value) as valued_units,
            sum(units_with_cost) as costed_units,
            sum(gross_value) as gross_sales,
            sum(net_value) as net_total,
            sum(kept_cost) as cost,
            groupBitmapIf(customer_no, customer_no <> 0 and is_recurring) as recurring_customers
        from product_sales
        where store_no = store and product_no = product and sold_on between {date_from:Date} and {date_to:Date}
    ),

    recent as (
        select sum(units) as recent_units
        from product_sales
        where store_no = store and product_no = product and sold_on between as_of_on - 30 and as_of_on - 1
    ),

    (select site_as_of from organization) as site_as_of,
    block_reason(store_as_of, {now:DateTime('UTC')}, sold_units > 0, 'no_period_sales') as why_not,

    cohorts as (
        select
            count() as entered,
            countIf(elapsed_days = 180) as matured,
            sumIf(net_revenue_180, elapsed_days = 180) as revenue_180,
            countIf(elapsed_days = 180 and has_repurchased_180) as repurchased_180,
            sum(net_revenue) as revenue_to_date,
            countIf(has_repurchased) as repurchased,
            sum(elapsed_days) as elapsed
        from (select *, toInt32(least(greatest(as_of_on - entered_on, 0), 180)) as elapsed_days from product_entries)
        where store_no = store and product_no = product and entered_on between {date_from:Date} and {date_to:Date}
    )

select
    product_id as "productId",
    {integration_id:String} as "integrationId",
    instant_text(least(store_as_of, ifNull(site_as_of, store_as_of))) as "asOf",
    {date_from:Date} as "period.from",
    {date_to:Date} as "period.to",
    block_state(why_not) as "summary.state",
    why_not as "summary.reason",
    'requested' as "summary.periodApplied.basis",
    {date_from:Date} as "summary.window.from",
    {date_to:Date} as "summary.window.to",
    {integration_id:String} as "summary.integrationId",
    product_id as "summary.productId",
    products.name as "summary.productName",
    if(is_active, 'active', 'inactive') as "summary.status",
    rollup_id as "summary.categoryId",
    rollup_name as "summary.categoryName",
    image_url as "summary.imageUrl",
    formatDateTime(updated_at, '%Y-%m-%dT%H:%i:%S.', 'UTC') || leftPad(toString(toUnixTimestamp64Milli(updated_at) % 1000), 3, '0') || 'Z'
        as "summary.updatedAt",
    money(if(sold_units = 0 or valued_units > 0, gross_sales, null)) as "summary.grossSales",
    money(net_sales) as "summary.netSales",
    sold_units as "summary.grossUnits",
    sold_units - units_back as "summary.netUnits",
    money(per(net_sales, orders)) as "summary.averageTicket",
    money(if(margin_reason is null, cost, null)) as "summary.cogs",
    money(if(margin_reason is null, net_total - cost, null)) as "summary.marginTotal",
    ratio(if(margin_reason is null, per(net_total - cost, net_sales), null)) as "summary.marginAverage",
    entered as "summary.newCustomers",
    recurring_customers as "summary.recurringCustomers",
    entered as "summary.entryCustomers",
    matured as "summary.matureEntryCustomers",
    money(per(revenue_180, matured)) as "summary.ltv180",
    ratio(per(repurchased_180, matured)) as "summary.repurchaseRate180",
    money(per(revenue_to_date, entered)) as "summary.ltvToDate",
    ratio(per(repurchased, entered)) as "summary.repurchaseRateToDate",
    money(per(elapsed, entered)) as "summary.cohortElapsedDaysAverage",
    available as "summary.availableStock",
    ratio(per(recent_units, 30)) as "summary.velocity30d",
    money(per(available * 30, recent_units)) as "summary.daysOfStock",
    if(has_returns, ratio(per(units_back, sold_units)), null) as "summary.returnRate",
    toString(stock_state) as "summary.inventoryState",
    multiIf(stock_read_at is null, 'missing', stock_read_at < {now:DateTime('UTC')} - interval 24 hour, 'stale', 'fresh') as "summary.inventoryFreshness",
    instant_text(stock_read_at) as "summary.inventoryUpdatedAt",
    multiIf(entered = 0, 'no_base', matured = entered, 'mature', matured > 0, 'partial', 'maturing') as "summary.cohortState",
    180 as "summary.cohortWindowDays",
    instant_text(store_as_of) as "summary.asOf",
    ratio(ifNull(per(valued_units, sold_units), 0)) as "summary.coverage.grossValue",
    ratio(ifNull(per(costed_units, sold_units), 0)) as "summary.coverage.cost",
    ratio(ifNull(per(skus_read, skus), 0)) as "summary.coverage.inventory",
    ratio(ifNull(per(matured, entered), 0)) as "summary.coverage.matureCohort",
    if(net_sales is null or orders = 0, 'no_sales_base', null) as "summary.ndReasons.averageTicket",
    margin_reason as "summary.ndReasons.margin",
    if(net_sales = 0, 'no_net_sales', margin_reason) as "summary.ndReasons.averageMargin",
    multiIf(
        stock_state in ('unlimited', 'unmonitored'), toString(stock_state),
        available is null, 'no_inventory',
        recent_units = 0, 'no_movement',
        null
    ) as "summary.ndReasons.daysOfStock",
    multiIf(matured > 0, null, entered > 0, 'maturing', 'no_base') as "summary.ndReasons.ltv180",
    multiIf(matured > 0, null, entered > 0, 'maturing', 'no_base') as "summary.ndReasons.repurchaseRate180",
    multiIf(sold_units = 0, 'no_sales_base', not has_returns, 'no_returns_coverage', null) as "summary.ndReasons.returnRate",
    multiIf(sold_units = 0, 'no_sales_base', not has_returns, 'no_returns_coverage', 'measured') as "summary.returnMeasurement.state",
    sold_units as "summary.returnMeasurement.soldUnits",
    units_back as "summary.returnMeasurement.returnedUnits",
    if(has_returns, ratio(per(units_back, sold_units)), null) as "summary.returnMeasurement.returnRate"
from (select * from products where store_no = store and product_id = {product_id:String}) as products
join (select * from categories where store_no = store and rollup_no = category_no) as nodes using (category_no)
cross join sold
cross join recent
cross join cohorts
