-- The products most often in the next order of the product's buyers, in the last twelve months.

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

buyers as materialized (

    select distinct customer_no, sold_at
    from product_sales
    where product_no = (select product_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date and customer_no is not null

),

-- The first order of the next later instant. Among orders of one instant the one with the smallest id has the smallest number.
next_orders as materialized (

    select distinct next_sale.order_no
    from buyers
    cross join lateral (
        select sales.order_no
        from sales
        where sales.customer_no = buyers.customer_no
            and sales.store_no = (select store_no from product)
            and sales.sold_at > buyers.sold_at
            and sales.sold_on between ($today::date - interval '12 months')::date + 1 and $today::date
        order by sales.sold_at, sales.order_no
        limit 1
    ) as next_sale

),

products_after as (

    select product_sales.product_no, count(distinct product_sales.customer_no) as customers
    from next_orders
    join product_sales using (order_no)
    where product_sales.product_no <> (select product_no from product)
    group by 1

),

-- The number of customers of each product.
product_buyers as (

    select product_no, customer_no
    from product_sales
    where store_no = (select store_no from product)
        and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date
        and customer_no is not null
        and product_no in (select product_no from products_after)
    group by 1, 2

),

product_totals as (

    select product_no, count(*) as customers
    from product_buyers
    group by 1

),

store_buyers as (

    select customer_no
    from sales
    where store_no = (select store_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date and customer_no is not null
    group by 1

),

base as (

    select
        (select count(distinct customer_no) from buyers) as customers_with_product,
        (select count(*) from store_buyers) as customers

)

select
    'boughtAfter' as block,
    products.product_id as "productId",
    products.name as "productName",
    after.customers,
    ratio(after.customers::numeric / base.customers_with_product) as share,
    ratio(after.customers::numeric * base.customers / (base.customers_with_product * product_totals.customers)) as lift
from products_after as after
join product_totals using (product_no)
join products using (product_no)
cross join base
where products.is_known
order by after.customers desc, lift desc, products.product_id
limit 10
