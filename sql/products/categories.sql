-- The totals of each category over the products that the request selects. A department includes its subcategories:
-- rows of different depths must not be added up, and neither must the customers of any two rows.
-- Grain: one row per category with a selected product, directly or in a subcategory; depth first by name,
-- `uncategorized` last [D38].
-- Parameters: as for products/listing, without sorting and page.
-- Follows [D33], [D34], [D35], [D38]: orders and customers are counted per category, not summed; rates are those of
-- the totals.

with

selected as (

    from selected_products()

),

nodes as (

    select *
    from product_categories
    where integration_id = requested_store_id()

),

members as (

    select nodes.rollup_id as group_id, selected.product_id
    from selected
    join nodes on nodes.category_id = selected.category_id

),

-- Of an order or a customer with several products of a category, one counts.
buyers as (

    select
        members.group_id,
        count(distinct sold.order_id) as orders,
        count(distinct sold.customer_no) filter (where sold.is_recurring) as recurring_customers
    from period_sales() as sold
    join members on members.product_id = sold.product_id
    group by members.group_id

),

-- A customer's revenue is the same for each product of the first purchase.
entries as (

    select
        members.group_id,
        entered.customer_no,
        any_value(entered.entered_on) as entered_on,
        any_value(entered.net_revenue_180) as net_revenue_180,
        any_value(entered.net_revenue) as net_revenue,
        any_value(entered.has_repurchased_180) as has_repurchased_180,
        any_value(entered.has_repurchased) as has_repurchased
    from period_entries() as entered
    join members on members.product_id = entered.product_id
    group by members.group_id, entered.customer_no

),

-- A category with a monitored product is monitored: its stock is that of its monitored products.
sums as (

    select
        nodes.rollup_id as group_id,
        case
            when bool_or(stock_state = 'monitored') then 'monitored'
            when bool_or(stock_state = 'unlimited') then 'unlimited'
            when bool_or(stock_state = 'unmonitored') then 'unmonitored'
            else 'unknown'
        end as stock_state,
        sum(available)::bigint as available,
        sum(skus) as skus,
        sum(skus_read) as skus_read,
        min(read_at) as read_at,
        sum(units)::bigint as units,
        sum(returned_units)::bigint as returned_units,
        sum(units_with_value)::bigint as units_with_value,
        sum(units_with_cost)::bigint as units_with_cost,
        sum(gross_value) as gross_value,
        sum(net_value) as net_value,
        sum(kept_cost) as kept_cost,
        sum(recent_units)::bigint as recent_units
    from selected
    join nodes on nodes.category_id = selected.category_id
    group by nodes.rollup_id

),

totals as (

    select
        sums.*,
        nodes.*,
        nodes.rollup_id as id,
        or_zero(buyers.orders) as orders,
        or_zero(buyers.recurring_customers) as recurring_customers,
        or_zero(cohorts.customers) as customers,
        or_zero(cohorts.mature_customers) as mature_customers,
        cohorts.* exclude (group_id, customers, mature_customers)
    from sums
    join nodes on nodes.category_id = sums.group_id and nodes.rollup_id = sums.group_id
    left join buyers on buyers.group_id = sums.group_id
    left join cohort_totals('entries') as cohorts on cohorts.group_id = sums.group_id

)

select
    totals.integration_id as "integrationId",
    totals.rollup_id as "categoryId",
    totals.rollup_name as "categoryName",
    totals.rollup_parent_id as "parentCategoryId",
    totals.rollup_depth as depth,
    figures.* exclude (id)
from totals
join product_figures('totals') as figures on figures.id = totals.id
order by totals.place, totals.rollup_id
