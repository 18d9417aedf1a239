    -- The customers whose first order is in the period, once for each product or category they entered through.
    entries as (
        select distinct
            customer_no,
            if(break_by = 'produto' or category_id <> 'uncategorized', first_orders.store_no, 0) as store_no,
            if(break_by = 'produto', product_id, category_id) as break_key
        from order_lines
        join (
            select order_no, customer_no, store_no
            from orders
            where customer_no <> 0
                and not is_recurring
                and ({start_date:Nullable(Date)} is null or first_on between {start_date:Nullable(Date)} and {end_date:Nullable(Date)})
        ) as first_orders using (order_no)
        join products on products.product_no = order_lines.product_no
        where sold_units > 0
    ),

    -- Their purchases per month.
    customer_months as (
        select
            customer_no,
            first_month as cohort_on,
            months_between(first_month, ordered_month) as step,
            sum(revenue) as month_revenue,
            sumIf(revenue, is_recurring) as month_repeat_revenue,
            max(is_recurring) as has_repurchased
        from orders
        where customer_no <> 0
            and ({start_date:Nullable(Date)} is null or first_on between {start_date:Nullable(Date)} and {end_date:Nullable(Date)})
        group by customer_no, cohort_on, step
    ),

    active_cells as (
        select
            cohort_on,
            store_no,
            break_key,
            step,
            count() as cell_customers,
            sum(month_revenue) as cell_revenue,
            sum(month_repeat_revenue) as cell_repeat_revenue
        from entries
        join customer_months using (customer_no)
        group by cohort_on, store_no, break_key, step
    ),

    row_totals as (
        select cohort_on, store_no, break_key, count() as customers, countIf(has_repurchased) as repurchase_customers
        from entries
        join (
            select customer_no, any(first_month) as cohort_on, max(is_recurring) as has_repurchased
            from orders
            where customer_no <> 0
                and ({start_date:Nullable(Date)} is null or first_on between {start_date:Nullable(Date)} and {end_date:Nullable(Date)})
            group by customer_no
        ) as buyers using (customer_no)
        group by cohort_on, store_no, break_key
    ),
