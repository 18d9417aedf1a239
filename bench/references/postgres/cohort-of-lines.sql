-- The customers whose first order is in the period, once for each product or category they entered through.
entries as (

    select distinct
        first_orders.customer_no,
        case when $break_by = 'produto' or products.category_id <> 'uncategorized' then first_orders.store_no end as store_no,
        case when $break_by = 'produto' then products.product_id else products.category_id end as break_key
    from orders as first_orders
    join order_lines using (order_no)
    join products using (product_no)
    where not first_orders.is_recurring
        and first_orders.customer_no is not null
        and ($start_date::date is null or first_orders.first_on between $start_date::date and $end_date::date)
        and order_lines.sold_units > 0

),

-- Their purchases per month.
customer_months as (

    select
        customer_no,
        first_month as cohort_on,
        greatest(ordered_month, first_month) as month_on,
        sum(revenue) as revenue,
        sum(revenue) filter (where not is_recurring) as direct_revenue,
        sum(revenue) filter (where is_recurring) as repeat_revenue
    from orders
    where customer_no is not null
        and ($start_date::date is null or first_on between $start_date::date and $end_date::date)
    group by 1, 2, 3

),

bought as materialized (

    select *
    from entries
    join customer_months using (customer_no)

),

row_customers as (

    select cohort_on, store_no, break_key, customer_no, bool_or(repeat_revenue is not null) as has_repurchased
    from bought
    group by 1, 2, 3, 4

),

row_totals as (

    select
        cohort_on,
        store_no,
        break_key,
        count(*) as customers,
        count(*) filter (where has_repurchased) as repurchase_customers
    from row_customers
    group by 1, 2, 3

),

active_cells as (

    select
        cohort_on,
        store_no,
        break_key,
        month_on,
        count(*) as customers,
        sum(revenue) as revenue,
        sum(direct_revenue) as direct_revenue,
        sum(repeat_revenue) as repeat_revenue
    from bought
    group by 1, 2, 3, 4

),
