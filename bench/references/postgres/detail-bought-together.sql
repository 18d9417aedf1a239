-- The products most often in the same order as this one, in the last twelve months.

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

orders_with_product as materialized (

    select order_no
    from product_sales
    where product_no = (select product_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date

),

products_together as (

    select product_sales.product_no, count(*) as orders
    from orders_with_product
    join product_sales using (order_no)
    where product_sales.product_no <> (select product_no from product)
    group by 1

),

-- The number of sales of each product.
product_totals as (

    select product_no, count(*) as orders
    from product_sales
    where store_no = (select store_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date
    group by 1

),

base as (

    select
        (select count(*) from orders_with_product) as orders_with_product,
        (select count(*) from sales where store_no = (select store_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date) as orders

)

select
    'boughtTogether' as block,
    products.product_id as "productId",
    products.name as "productName",
    together.orders,
    ratio(together.orders::numeric / base.orders_with_product) as share,
    ratio(together.orders::numeric * base.orders / (base.orders_with_product * product_totals.orders)) as lift
from products_together as together
join product_totals using (product_no)
join products using (product_no)
cross join base
where products.is_known
order by together.orders desc, lift desc, products.product_id
limit 10
