-- What this engine writes differently.

--- table
unlogged table

--- in_order: columns

--- instant
timestamp

--- millisecond
timestamp

--- label
text

--- steps: name | last
cross join lateral generate_series(0, {{2}}) as {{1}}

--- rows_of_figures: rows
cross join lateral (values {{1}}) as listed (name, decimals, figure)

--- store
store as (

    select store_no, has_returns, last_landed_at, least($today, last_landed_at::date) as as_of_on
    from stores
    where integration_id = $integration_id

)

--- product
{{store}},

product as (

    select product_no
    from products
    where store_no = {{of_store: store_no}} and product_id = $product_id

)

--- of_store: column
(select {{1}} from store)

--- product_no
(select product_no from product)

--- of_product
product_no = {{product_no}}

--- cells: keys | last step
-- Every step up to the horizon, with or without purchases, in order.
row_sums as (

    select
        {{1}},
        sum(revenue) as revenue,
        sum(direct_revenue) as direct_revenue,
        sum(revenue) filter (where step = 0) as step_0_revenue,
        sum(customers) filter (where step = 0) as step_0_customers
    from active_cells
    group by {{1}}

),

cell_lists as (

    select
        {{1}},
        array_agg(ratio(per(customers, step_0_customers))) as pct,
        array_agg(customers) as absolute,
        array_agg(amount(revenue * margin_rate)) as complementary,
        array_agg(case when step > 0 then amount(repeat_revenue) end) as repurchase_revenue
    from (
        select
            {{1}},
            step,
            margin_rate,
            step_0_customers,
            coalesce(active_cells.customers, 0) as customers,
            coalesce(active_cells.revenue, 0) as revenue,
            coalesce(repeat_revenue, 0) as repeat_revenue
        from row_sums
        cross join organization
        cross join lateral generate_series(0, {{2}}) as step
        left join active_cells using ({{1}}, step)
        order by {{1}}, step
    ) as ordered_cells
    group by {{1}}

),

cells as (

    select *
    from row_sums
    join cell_lists using ({{1}})
    cross join organization

)

--- distinct: columns
select distinct {{1}}

--- sold: key | join | condition | count
-- `count(distinct …)` would sort: distinct orders and customers are hashed and then counted. Unused counts are not planned.
sold as (

    select *
    from (
        select {{1}}, count(*) as sales, {{sums}}
        from product_sales
        {{2}}
        where {{3}} and {{in_period: sold_on}}
        group by {{1}}
    ) as sums
    left join (
        {{counted: {{1}} | order_no | orders | {{2}} | {{3}}}}
    ) as order_counts using ({{1}})
    left join (
        {{counted: {{1}} | customer_no | recurring_customers | {{2}} | {{3}} and is_recurring and customer_no <> 0}}
    ) as buyers using ({{1}})

)

--- counted: key | what | count | join | condition
select {{1}}, count(*) as {{3}}
from (
    select distinct {{1}}, {{2}}
    from product_sales
    {{4}}
    where {{5}} and {{in_period: sold_on}}
) as once
group by {{1}}

--- bought_together
orders_with_product as materialized (

    select order_no
    from product_sales
    where {{of_product}} and {{in_year: sold_on}}

),

-- The ten most frequent, with ties of the tenth: the lift decides among those.
leading_products as materialized (

    select product_no, together
    from (
        select product_sales.product_no, count(*) as together, rank() over (order by count(*) desc) as place
        from orders_with_product
        join product_sales using (order_no)
        where product_sales.product_no <> {{product_no}}
        group by product_sales.product_no
    ) as counted
    where place <= 10

),

related as (

    select
        *,
        (select count(*) from orders_with_product) as with_product,
        (select count(*) from sales where store_no = {{of_store: store_no}} and {{in_year: sold_on}}) as in_all
    from leading_products
    join (
        select product_no, count(*) as of_its_own
        from product_sales
        where product_no in (select product_no from leading_products) and {{in_year: sold_on}}
        group by product_no
    ) as product_totals using (product_no)

)

--- bought_after
buyers as materialized (

    select distinct customer_no, purchased_at
    from product_sales
    where {{of_product}} and {{in_year: sold_on}} and customer_no <> 0

),

next_purchases as materialized (

    select distinct buyers.customer_no, next_sale.purchased_at
    from buyers
    cross join lateral (
        select min(sales.purchased_at) as purchased_at
        from sales
        where sales.customer_no = buyers.customer_no
            and sales.store_no = {{of_store: store_no}}
            and sales.purchased_at > buyers.purchased_at
            and {{in_year: sales.sold_on}}
    ) as next_sale
    where next_sale.purchased_at is not null

),

-- The ten most frequent, with ties of the tenth: the lift decides among those.
leading_products as materialized (

    select product_no, together
    from (
        select
            product_no,
            count(distinct customer_no) as together,
            rank() over (order by count(distinct customer_no) desc) as place
        from next_purchases
        join product_sales using (customer_no, purchased_at)
        where store_no = {{of_store: store_no}}
            and {{in_year: sold_on}}
            and product_no <> {{product_no}}
        group by product_no
    ) as counted
    where place <= 10

),

related as (

    select
        *,
        (select count(distinct customer_no) from buyers) as with_product,
        (
            select count(*)
            from (
                select distinct customer_no
                from sales
                where store_no = {{of_store: store_no}} and {{in_year: sold_on}} and customer_no <> 0
            ) as store_buyers
        ) as in_all
    from leading_products
    join (
        select product_no, count(*) as of_its_own
        from (
            select distinct product_no, customer_no
            from product_sales
            where product_no in (select product_no from leading_products) and {{in_year: sold_on}} and customer_no <> 0
        ) as once
        group by product_no
    ) as product_totals using (product_no)

)

--- materialized
materialized
