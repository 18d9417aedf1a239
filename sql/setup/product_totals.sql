-- Totals of products and of groups of products, unrounded. Arguments that are relations are passed by name: a table, a
-- view, or a CTE of the caller.
-- Parameters: integration_id, date_from, date_to, today. Follows [D33], [D34].

-- Sales of a store in the period.
-- Grain: one row per sale and product.
create macro period_sales() as table
    select *
    from product_sales
    where integration_id = requested_store_id() and sold_on between date_from() and date_to();

-- Sales of the 30 complete days before the as-of day.
-- Grain: one row per sale and product.
create macro is_recent(sold_on, as_of_day) as sold_on between as_of_day - 30 and as_of_day - 1;
create macro recent_sales() as table
    select *
    from product_sales
    where integration_id = requested_store_id() and is_recent(sold_on, as_of_day());

-- The customers who entered the store in the period.
-- Grain: one row per product and customer.
create macro period_entries() as table
    select *
    from product_entries
    where integration_id = requested_store_id() and entered_on between date_from() and date_to();

-- The cohorts of groups of entries, rows of product_entries with `group_id`: a customer is at most once in a group.
-- Grain: one row per group.
create macro cohort_totals(entries) as table
    with
    aged as (
        select
            entries.*,
            least(greatest(store.as_of_day - entries.entered_on, 0), 180) as elapsed_days
        from query_table(entries) as entries
        cross join (select as_of_day from requested_store()) as store
    )
    select
        group_id,
        max(entered_on) as last_entered_on,
        count(*) as customers,
        count(*) filter (where elapsed_days = 180) as mature_customers,
        sum(net_revenue_180) filter (where elapsed_days = 180) as revenue_180,
        count(*) filter (where elapsed_days = 180 and has_repurchased_180) as repurchased_180,
        sum(net_revenue) as revenue,
        count(*) filter (where has_repurchased) as repurchased,
        sum(elapsed_days) as elapsed_days
    from aged
    group by group_id;

-- The totals of each of `products`, rows of product_identities.
-- `sold`, `recent`, `entered`: rows of period_sales, recent_sales and period_entries, at least those of these products.
-- Grain: one row per product, with the columns of `products`.
create macro product_totals(products, sold, recent, entered) as table
    with
    sales_of_products as (
        select
            product_id,
            count(*) as orders,
            sum(units) as units,
            sum(returned_units) as returned_units,
            sum(units_with_value) as units_with_value,
            sum(units_with_cost) as units_with_cost,
            sum(gross_value) as gross_value,
            sum(net_value) as net_value,
            sum(kept_cost) as kept_cost,
            count(distinct customer_no) filter (where is_recurring) as recurring_customers
        from query_table(sold)
        group by product_id
    ),
    recent_sales_of_products as (
        select product_id, sum(units) as units
        from query_table(recent)
        group by product_id
    ),
    entries_of_products as (
        select *, product_id as group_id
        from query_table(entered)
    )
    select
        products.*,
        or_zero(sales.units)::bigint as units,
        or_zero(sales.returned_units)::bigint as returned_units,
        or_zero(sales.units_with_value)::bigint as units_with_value,
        or_zero(sales.units_with_cost)::bigint as units_with_cost,
        or_zero(sales.gross_value) as gross_value,
        or_zero(sales.net_value) as net_value,
        or_zero(sales.kept_cost) as kept_cost,
        or_zero(sales.orders) as orders,
        or_zero(sales.recurring_customers) as recurring_customers,
        or_zero(recent.units)::bigint as recent_units,
        or_zero(cohorts.customers) as customers,
        or_zero(cohorts.mature_customers) as mature_customers,
        cohorts.revenue_180,
        cohorts.repurchased_180,
        cohorts.revenue,
        cohorts.repurchased,
        cohorts.elapsed_days
    from query_table(products) as products
    left join sales_of_products as sales on sales.product_id = products.product_id
    left join recent_sales_of_products as recent on recent.product_id = products.product_id
    left join cohort_totals('entries_of_products') as cohorts on cohorts.group_id = products.product_id;
