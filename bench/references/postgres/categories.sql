-- The totals of each category over the store's products: orders and customers count once in each.

with

store as (

    select store_no, integration_id, has_returns, last_landed_at, least($today::date, last_landed_at::date) as as_of_on
    from stores
    where integration_id = $integration_id::uuid

),

-- The products of the catalog, and those sold in the period that it lacks, once for each of their categories.
members as materialized (

    select
        categories.rollup_no,
        products.product_no,
        products.stock_state,
        products.available,
        products.skus,
        products.skus_read,
        products.stock_read_at
    from products
    join store using (store_no)
    join categories using (store_no, category_no)
    where products.is_catalogued
        or exists (
            select
            from product_sales
            where product_sales.product_no = products.product_no
                and product_sales.sold_on between $date_from::date and $date_to::date
        )

),

sold as (

    select
        members.rollup_no,
        sum(units) as units,
        sum(returned_units) as returned_units,
        sum(units_with_value) as units_with_value,
        sum(units_with_cost) as units_with_cost,
        sum(gross_value) as gross_value,
        sum(net_value) as net_value,
        sum(kept_cost) as kept_cost
    from product_sales
    join members using (product_no)
    where product_sales.store_no = (select store_no from store)
        and product_sales.sold_on between $date_from::date and $date_to::date
    group by 1

),

-- `count(distinct …)` would sort: distinct orders and customers are hashed and then counted.
group_orders as (

    select rollup_no, count(*) as orders
    from (
        select distinct members.rollup_no, product_sales.order_no
        from product_sales
        join members using (product_no)
        where product_sales.store_no = (select store_no from store)
            and product_sales.sold_on between $date_from::date and $date_to::date
    ) as orders_of_group
    group by 1

),

buyers as (

    select rollup_no, count(*) as recurring_customers
    from (
        select distinct members.rollup_no, product_sales.customer_no
        from product_sales
        join members using (product_no)
        where product_sales.store_no = (select store_no from store)
            and product_sales.sold_on between $date_from::date and $date_to::date
            and product_sales.is_recurring
            and product_sales.customer_no is not null
    ) as customers_of_group
    group by 1

),

recent as (

    select members.rollup_no, sum(product_sales.units) as units
    from product_sales
    join members using (product_no)
    where product_sales.store_no = (select store_no from store)
        and product_sales.sold_on between (select as_of_on - 30 from store) and (select as_of_on - 1 from store)
    group by 1

),

-- The revenue of a customer is the same for each product of the first purchase.
entries as (

    select distinct
        members.rollup_no,
        product_entries.customer_no,
        product_entries.net_revenue_180,
        product_entries.net_revenue,
        product_entries.has_repurchased_180,
        product_entries.has_repurchased,
        least(greatest(store.as_of_on - product_entries.entered_on, 0), 180) as elapsed_days
    from product_entries
    join store using (store_no)
    join members using (product_no)
    where product_entries.store_no = (select store_no from store)
        and product_entries.entered_on between $date_from::date and $date_to::date

),

cohorts as (

    select
        rollup_no,
        count(*) as customers,
        count(*) filter (where elapsed_days = 180) as mature_customers,
        sum(net_revenue_180) filter (where elapsed_days = 180) as revenue_180,
        count(*) filter (where elapsed_days = 180 and has_repurchased_180) as repurchased_180,
        sum(net_revenue) as revenue,
        count(*) filter (where has_repurchased) as repurchased,
        sum(elapsed_days) as elapsed_days
    from entries
    group by 1

),

stocks as (

    select
        rollup_no,
        case
            when bool_or(stock_state = 'monitored') then 'monitored'
            when bool_or(stock_state = 'unlimited') then 'unlimited'
            when bool_or(stock_state = 'unmonitored') then 'unmonitored'
            else 'unknown'
        end as stock_state,
        sum(available) as available,
        sum(skus) as skus,
        sum(skus_read) as skus_read,
        min(stock_read_at) as stock_read_at
    from members
    group by 1

),

totals as (

    select
        stocks.*,
        coalesce(sold.units, 0) as units,
        coalesce(sold.returned_units, 0) as returned_units,
        coalesce(sold.units_with_value, 0) as units_with_value,
        coalesce(sold.units_with_cost, 0) as units_with_cost,
        coalesce(sold.gross_value, 0) as gross_value,
        coalesce(sold.net_value, 0) as net_value,
        coalesce(sold.kept_cost, 0) as kept_cost,
        coalesce(group_orders.orders, 0) as orders,
        coalesce(buyers.recurring_customers, 0) as recurring_customers,
        coalesce(recent.units, 0) as recent_units,
        coalesce(cohorts.customers, 0) as customers,
        coalesce(cohorts.mature_customers, 0) as mature_customers,
        cohorts.revenue_180,
        cohorts.repurchased_180,
        cohorts.revenue,
        cohorts.repurchased,
        cohorts.elapsed_days,
        store.store_no,
        store.integration_id,
        store.last_landed_at,
        store.has_returns
    from stocks
    cross join store
    left join sold using (rollup_no)
    left join group_orders using (rollup_no)
    left join buyers using (rollup_no)
    left join recent using (rollup_no)
    left join cohorts using (rollup_no)

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
    figures.integration_id as "integrationId",
    nodes.rollup_id as "categoryId",
    nodes.rollup_name as "categoryName",
    nodes.rollup_parent_id as "parentCategoryId",
    nodes.rollup_depth as depth,
    amount(case when units = 0 or units_with_value > 0 then gross_value end) as "grossSales",
    amount(net_sales) as "netSales",
    units as "grossUnits",
    units - returned_units as "netUnits",
    amount(net_sales / nullif(orders, 0)) as "averageTicket",
    amount(cogs) as "cogs",
    amount(margin_total) as "marginTotal",
    ratio(margin_total / nullif(net_sales, 0)) as "marginAverage",
    customers as "newCustomers",
    recurring_customers as "recurringCustomers",
    customers as "entryCustomers",
    mature_customers as "matureEntryCustomers",
    amount(revenue_180 / nullif(mature_customers, 0)) as "ltv180",
    ratio(repurchased_180::numeric / nullif(mature_customers, 0)) as "repurchaseRate180",
    amount(revenue / nullif(customers, 0)) as "ltvToDate",
    ratio(repurchased::numeric / nullif(customers, 0)) as "repurchaseRateToDate",
    amount(elapsed_days::numeric / nullif(customers, 0)) as "cohortElapsedDaysAverage",
    available as "availableStock",
    ratio(recent_units / 30.0) as "velocity30d",
    amount(available * 30.0 / nullif(recent_units, 0)) as "daysOfStock",
    case when has_returns then ratio(returned_units::numeric / nullif(units, 0)) end as "returnRate",
    stock_state as "inventoryState",
    case
        when stock_read_at is null then 'missing'
        when stock_read_at < $now::timestamp - interval '24 hours' then 'stale'
        else 'fresh'
    end as "inventoryFreshness",
    instant_text(stock_read_at) as "inventoryUpdatedAt",
    case
        when customers = 0 then 'no_base'
        when mature_customers = customers then 'mature'
        when mature_customers > 0 then 'partial'
        else 'maturing'
    end as "cohortState",
    180 as "cohortWindowDays",
    instant_text(last_landed_at) as "asOf",
    ratio(coalesce(units_with_value::numeric / nullif(units, 0), 0)) as "coverage.grossValue",
    ratio(coalesce(units_with_cost::numeric / nullif(units, 0), 0)) as "coverage.cost",
    ratio(coalesce(skus_read::numeric / nullif(skus, 0), 0)) as "coverage.inventory",
    ratio(coalesce(mature_customers::numeric / nullif(customers, 0), 0)) as "coverage.matureCohort",
    case when net_sales is null or orders = 0 then 'no_sales_base' end as "ndReasons.averageTicket",
    margin_reason as "ndReasons.margin",
    case when net_sales = 0 then 'no_net_sales' else margin_reason end as "ndReasons.averageMargin",
    case
        when stock_state in ('unlimited', 'unmonitored') then stock_state
        when available is null then 'no_inventory'
        when recent_units = 0 then 'no_movement'
    end as "ndReasons.daysOfStock",
    cohort_reason as "ndReasons.ltv180",
    cohort_reason as "ndReasons.repurchaseRate180",
    case when units = 0 then 'no_sales_base' when not has_returns then 'no_returns_coverage' end as "ndReasons.returnRate"
from figures
join categories as nodes
    on nodes.store_no = figures.store_no and nodes.rollup_no = figures.rollup_no and nodes.category_no = nodes.rollup_no
order by nodes.place, nodes.rollup_id
