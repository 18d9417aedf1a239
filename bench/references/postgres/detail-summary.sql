-- A product's metrics of the period, which are its row of the listing, and the base of its return rate.

with

product as (

    select
        products.*,
        stores.integration_id,
        stores.has_returns,
        stores.last_landed_at,
        least($today::date, stores.last_landed_at::date) as as_of_on
    from products
    join stores using (store_no)
    where stores.integration_id = $integration_id::uuid and products.product_id = $product_id

),

period_sales as materialized (

    select *
    from product_sales
    where product_no = (select product_no from product) and sold_on between $date_from::date and $date_to::date

),

sold as (

    select
        count(*) as orders,
        sum(units) as units,
        sum(returned_units) as returned_units,
        sum(units_with_value) as units_with_value,
        sum(units_with_cost) as units_with_cost,
        sum(gross_value) as gross_value,
        sum(net_value) as net_value,
        sum(kept_cost) as kept_cost,
        count(distinct customer_no) filter (where is_recurring) as recurring_customers
    from period_sales

),

recent as (

    select sum(units) as units
    from product_sales
    where product_no = (select product_no from product)
        and sold_on between (select as_of_on - 30 from product) and (select as_of_on - 1 from product)

),

entries as (

    select product_entries.*, least(greatest(product.as_of_on - entered_on, 0), 180) as elapsed_days
    from product_entries
    cross join product
    where product_entries.product_no = (select product_no from product) and entered_on between $date_from::date and $date_to::date

),

cohorts as (

    select
        count(*) as customers,
        count(*) filter (where elapsed_days = 180) as mature_customers,
        sum(net_revenue_180) filter (where elapsed_days = 180) as revenue_180,
        count(*) filter (where elapsed_days = 180 and has_repurchased_180) as repurchased_180,
        sum(net_revenue) as revenue,
        count(*) filter (where has_repurchased) as repurchased,
        sum(elapsed_days) as elapsed_days
    from entries

),

totals as (

    select
        store.*,
        coalesce(sold.units, 0) as units,
        coalesce(sold.returned_units, 0) as returned_units,
        coalesce(sold.units_with_value, 0) as units_with_value,
        coalesce(sold.units_with_cost, 0) as units_with_cost,
        coalesce(sold.gross_value, 0) as gross_value,
        coalesce(sold.net_value, 0) as net_value,
        coalesce(sold.kept_cost, 0) as kept_cost,
        coalesce(sold.orders, 0) as orders,
        coalesce(sold.recurring_customers, 0) as recurring_customers,
        coalesce(recent.units, 0) as recent_units,
        coalesce(cohorts.customers, 0) as customers,
        coalesce(cohorts.mature_customers, 0) as mature_customers,
        cohorts.revenue_180,
        cohorts.repurchased_180,
        cohorts.revenue,
        cohorts.repurchased,
        cohorts.elapsed_days
    from product as store
    cross join sold
    cross join recent
    cross join cohorts

),

figures as (

    select
        *,
        case when units = 0 or units_with_value > 0 then net_value end as net_sales,
        case when units_with_value >= units and units_with_cost >= units then kept_cost end as cogs,
        case when units_with_value >= units and units_with_cost >= units then net_value - kept_cost end as margin_total,
        case
            when units_with_value < units then 'incomplete_gross_value'
            when units_with_cost < units then 'incomplete_cost'
        end as margin_reason,
        case when mature_customers > 0 then null when customers > 0 then 'maturing' else 'no_base' end as cohort_reason
    from totals

)

select
    figures.product_id as "productId",
    figures.integration_id as "integrationId",
    instant_text(least(figures.last_landed_at, organization.site_as_of)) as "asOf",
    $date_from::date as "period.from",
    $date_to::date as "period.to",
    block_state(block_reason(last_landed_at, $now::timestamp, units > 0, 'no_period_sales')) as "summary.state",
    block_reason(last_landed_at, $now::timestamp, units > 0, 'no_period_sales') as "summary.reason",
    'requested' as "summary.periodApplied.basis",
    $date_from::date as "summary.window.from",
    $date_to::date as "summary.window.to",
    figures.integration_id as "summary.integrationId",
    figures.product_id as "summary.productId",
    figures.name as "summary.productName",
    case when figures.is_active then 'active' else 'inactive' end as "summary.status",
    nodes.rollup_id as "summary.categoryId",
    nodes.rollup_name as "summary.categoryName",
    figures.image_url as "summary.imageUrl",
    instant_text(figures.updated_at) as "summary.updatedAt",
    amount(case when units = 0 or units_with_value > 0 then gross_value end) as "summary.grossSales",
    amount(net_sales) as "summary.netSales",
    units as "summary.grossUnits",
    units - returned_units as "summary.netUnits",
    amount(net_sales / nullif(orders, 0)) as "summary.averageTicket",
    amount(cogs) as "summary.cogs",
    amount(margin_total) as "summary.marginTotal",
    ratio(margin_total / nullif(net_sales, 0)) as "summary.marginAverage",
    customers as "summary.newCustomers",
    recurring_customers as "summary.recurringCustomers",
    customers as "summary.entryCustomers",
    mature_customers as "summary.matureEntryCustomers",
    amount(revenue_180 / nullif(mature_customers, 0)) as "summary.ltv180",
    ratio(repurchased_180::numeric / nullif(mature_customers, 0)) as "summary.repurchaseRate180",
    amount(revenue / nullif(customers, 0)) as "summary.ltvToDate",
    ratio(repurchased::numeric / nullif(customers, 0)) as "summary.repurchaseRateToDate",
    amount(elapsed_days::numeric / nullif(customers, 0)) as "summary.cohortElapsedDaysAverage",
    available as "summary.availableStock",
    ratio(recent_units / 30.0) as "summary.velocity30d",
    amount(available * 30.0 / nullif(recent_units, 0)) as "summary.daysOfStock",
    case when has_returns then ratio(returned_units::numeric / nullif(units, 0)) end as "summary.returnRate",
    stock_state as "summary.inventoryState",
    case
        when stock_read_at is null then 'missing'
        when stock_read_at < $now::timestamp - interval '24 hours' then 'stale'
        else 'fresh'
    end as "summary.inventoryFreshness",
    instant_text(stock_read_at) as "summary.inventoryUpdatedAt",
    case
        when customers = 0 then 'no_base'
        when mature_customers = customers then 'mature'
        when mature_customers > 0 then 'partial'
        else 'maturing'
    end as "summary.cohortState",
    180 as "summary.cohortWindowDays",
    instant_text(last_landed_at) as "summary.asOf",
    ratio(coalesce(units_with_value::numeric / nullif(units, 0), 0)) as "summary.coverage.grossValue",
    ratio(coalesce(units_with_cost::numeric / nullif(units, 0), 0)) as "summary.coverage.cost",
    ratio(coalesce(skus_read::numeric / nullif(skus, 0), 0)) as "summary.coverage.inventory",
    ratio(coalesce(mature_customers::numeric / nullif(customers, 0), 0)) as "summary.coverage.matureCohort",
    case when net_sales is null or orders = 0 then 'no_sales_base' end as "summary.ndReasons.averageTicket",
    margin_reason as "summary.ndReasons.margin",
    case when net_sales = 0 then 'no_net_sales' else margin_reason end as "summary.ndReasons.averageMargin",
    case
        when stock_state in ('unlimited', 'unmonitored') then stock_state
        when available is null then 'no_inventory'
        when recent_units = 0 then 'no_movement'
    end as "summary.ndReasons.daysOfStock",
    cohort_reason as "summary.ndReasons.ltv180",
    cohort_reason as "summary.ndReasons.repurchaseRate180",
    case when units = 0 then 'no_sales_base' when not has_returns then 'no_returns_coverage' end as "summary.ndReasons.returnRate",
    case when units = 0 then 'no_sales_base' when not has_returns then 'no_returns_coverage' else 'measured' end
        as "summary.returnMeasurement.state",
    units as "summary.returnMeasurement.soldUnits",
    returned_units as "summary.returnMeasurement.returnedUnits",
    case when has_returns then ratio(returned_units::numeric / nullif(units, 0)) end as "summary.returnMeasurement.returnRate"
from figures
cross join organization
join categories as nodes
    on nodes.store_no = figures.store_no and nodes.category_no = figures.category_no and nodes.rollup_no = figures.category_no
