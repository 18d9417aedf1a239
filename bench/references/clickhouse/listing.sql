-- The hundred products of a store with most net sales in the period, each with its metrics, and how many there are.

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
    multiIf(valued_units < sold_units, 'incomplete_gross_value', costed_units < sold_units, 'incomplete_cost', null) as margin_reason,
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
    {integration_id:String} as "integrationId",
    product_id as "productId",
    products.name as "productName",
    if(is_active, 'active', 'inactive') as "status",
    rollup_id as "categoryId",
    rollup_name as "categoryName",
    image_url as "imageUrl",
    formatDateTime(updated_at, '%Y-%m-%dT%H:%i:%S.', 'UTC') || leftPad(toString(toUnixTimestamp64Milli(updated_at) % 1000), 3, '0') || 'Z'
        as "updatedAt",
    money(if(sold_units = 0 or valued_units > 0, gross_sales, null)) as "grossSales",
    money(net_sales) as "netSales",
    sold_units as "grossUnits",
    sold_units - units_back as "netUnits",
    money(per(net_sales, orders)) as "averageTicket",
    money(if(margin_reason is null, cost, null)) as "cogs",
    money(if(margin_reason is null, net_total - cost, null)) as "marginTotal",
    ratio(if(margin_reason is null, per(net_total - cost, net_sales), null)) as "marginAverage",
    entered as "newCustomers",
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
    toString(stock_state) as "inventoryState",
    multiIf(stock_read_at is null, 'missing', stock_read_at < {now:DateTime('UTC')} - interval 24 hour, 'stale', 'fresh') as "inventoryFreshness",
    instant_text(stock_read_at) as "inventoryUpdatedAt",
    multiIf(entered = 0, 'no_base', matured = entered, 'mature', matured > 0, 'partial', 'maturing') as "cohortState",
    180 as "cohortWindowDays",
    instant_text(store_as_of) as "asOf",
    ratio(ifNull(per(valued_units, sold_units), 0)) as "coverage.grossValue",
    ratio(ifNull(per(costed_units, sold_units), 0)) as "coverage.cost",
    ratio(ifNull(per(skus_read, skus), 0)) as "coverage.inventory",
    ratio(ifNull(per(matured, entered), 0)) as "coverage.matureCohort",
    if(net_sales is null or orders = 0, 'no_sales_base', null) as "ndReasons.averageTicket",
    margin_reason as "ndReasons.margin",
    if(net_sales = 0, 'no_net_sales', margin_reason) as "ndReasons.averageMargin",
    multiIf(
        stock_state in ('unlimited', 'unmonitored'), toString(stock_state),
        available is null, 'no_inventory',
        recent_units = 0, 'no_movement',
        null
    ) as "ndReasons.daysOfStock",
    multiIf(matured > 0, null, entered > 0, 'maturing', 'no_base') as "ndReasons.ltv180",
    multiIf(matured > 0, null, entered > 0, 'maturing', 'no_base') as "ndReasons.repurchaseRate180",
    multiIf(sold_units = 0, 'no_sales_base', not has_returns, 'no_returns_coverage', null) as "ndReasons.returnRate",
    count() over () as "pagination.total",
    intDiv(count() over () + 99, 100) as "pagination.totalPages"
from (select * from products where store_no = store) as products
join (select * from categories where store_no = store and rollup_no = category_no) as nodes using (category_no)
left join sold using (product_no)
left join recent using (product_no)
left join cohorts using (product_no)
where is_catalogued or sold_units > 0
order by money(net_sales) desc nulls last, product_id
limit 100
