-- The products most often in the next purchase of the product's buyers, in the last twelve months.

with

product as (

    select
        products.*,
        stores.last_landed_at,
        least($today::date, stores.last_landed_at::date) as as_of_on
    from products
    join stores using (store_no)
    where stores.integration_id = $integration_id::uuid and products.product_id = $product_id

),

buyers as materialized (

    select distinct customer_no, purchased_at
    from product_sales
    where product_no = (select product_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date and customer_no is not null

),

next_purchases as materialized (

    select distinct buyers.customer_no, next_sale.purchased_at
    from buyers
    cross join lateral (
        select min(sales.purchased_at) as purchased_at
        from sales
        where sales.customer_no = buyers.customer_no
            and sales.store_no = (select store_no from product)
            and sales.purchased_at > buyers.purchased_at
            and sales.sold_on between ($today::date - interval '12 months')::date + 1 and $today::date
    ) as next_sale
    where next_sale.purchased_at is not null

),

-- The ten most frequent, with ties of the tenth: the lift decides among those.
leading_products as materialized (

    select product_no, customers
    from (
        select
            product_sales.product_no,
            count(distinct product_sales.customer_no) as customers,
            rank() over (order by count(distinct product_sales.customer_no) desc) as place
        from next_purchases
        join product_sales using (customer_no, purchased_at)
        where product_sales.store_no = (select store_no from product)
            and product_sales.sold_on between ($today::date - interval '12 months')::date + 1 and $today::date
            and product_sales.product_no <> (select product_no from product)
        group by 1
    ) as products_after
    where place <= 10

),

-- `count(distinct …)` would sort: distinct customers are hashed and then counted.
product_totals as (

    select product_no, count(*) as customers
    from (
        select distinct product_no, customer_no
        from product_sales
        where product_no in (select product_no from leading_products) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date and customer_no is not null
    ) as customers_of_product
    group by 1

),

base as (

    select
        (select count(distinct customer_no) from buyers) as customers_with_product,
        (
            select count(*)
            from (
                select distinct customer_no
                from sales
                where store_no = (select store_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date and customer_no is not null
            ) as store_buyers
        ) as customers

),

ranked as (

    select
        products.product_id,
        products.name,
        leading_products.customers,
        ratio(leading_products.customers::numeric / base.customers_with_product) as share,
        ratio(
            leading_products.customers::numeric * base.customers / (base.customers_with_product * product_totals.customers)
        ) as lift
    from leading_products
    join product_totals using (product_no)
    join products using (product_no)
    cross join base
    where products.is_known
    order by leading_products.customers desc, lift desc, products.product_id
    limit 10

)

select
    'boughtAfter' as block,
    block_state(block_reason(product.last_landed_at, $now::timestamp, base.customers_with_product > 0, 'no_period_sales')) as state,
    block_reason(product.last_landed_at, $now::timestamp, base.customers_with_product > 0, 'no_period_sales') as reason,
    instant_text(product.last_landed_at) as "asOf",
    'source_window' as "periodApplied.basis",
    ($today::date - interval '12 months')::date + 1 as "window.from",
    $today::date as "window.to",
    ranked.product_id as "productId",
    ranked.name as "productName",
    ranked.customers,
    ranked.share,
    ranked.lift
from product
cross join base
left join ranked on true
order by ranked.customers desc, ranked.lift desc, ranked.product_id
