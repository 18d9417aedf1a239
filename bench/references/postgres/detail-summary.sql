-- A product's metrics of the period: its row of the listing.

with

product as (

    select
        products.*,
        stores.has_returns,
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
        count(distinct customer_no) filter (where not is_recurring) as new_customers,
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
        store.product_id,
        store.name,
        store.is_active,
        store.category_id,
        store.stock_state,
        store.available,
        coalesce(sold.units, 0) as units,
        coalesce(sold.returned_units, 0) as returned_units,
        coalesce(sold.units_with_value, 0) as units_with_value,
        coalesce(sold.units_with_cost, 0) as units_with_cost,
        coalesce(sold.gross_value, 0) as gross_value,
        coalesce(sold.net_value, 0) as net_value,
        coalesce(sold.kept_cost, 0) as kept_cost,
        coalesce(sold.orders, 0) as orders,
        coalesce(sold.new_customers, 0) as new_customers,
        coalesce(sold.recurring_customers, 0) as recurring_customers,
        coalesce(recent.units, 0) as recent_units,
        coalesce(cohorts.customers, 0) as customers,
        coalesce(cohorts.mature_customers, 0) as mature_customers,
        cohorts.revenue_180,
        cohorts.repurchased_180,
        cohorts.revenue,
        cohorts.repurchased,
        cohorts.elapsed_days,
        store.has_returns
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
        case when units_with_value >= units and units_with_cost >= units then net_value - kept_cost end as margin_total
    from totals

)

select
    product_id as "productId",
    name as "summary.productName",
    case when is_active then 'active' else 'inactive' end as "summary.status",
    category_id as "summary.categoryId",
    amount(case when units = 0 or units_with_value > 0 then gross_value end) as "summary.grossSales",
    amount(net_sales) as "summary.netSales",
    units as "summary.grossUnits",
    units - returned_units as "summary.netUnits",
    amount(net_sales / nullif(orders, 0)) as "summary.averageTicket",
    amount(cogs) as "summary.cogs",
    amount(margin_total) as "summary.marginTotal",
    ratio(margin_total / nullif(net_sales, 0)) as "summary.marginAverage",
    new_customers as "summary.newCustomers",
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
        when customers = 0 then 'no_base'
        when mature_customers = customers then 'mature'
        when mature_customers > 0 then 'partial'
        else 'maturing'
    end as "summary.cohortState"
from figures
