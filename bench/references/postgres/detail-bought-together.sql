-- The products most often in the same order as this one, in the last twelve months.

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

orders_with_product as materialized (

    select order_no
    from product_sales
    where product_no = (select product_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date

),

-- The ten most frequent, with ties of the tenth: the lift decides among those.
leading_products as materialized (

    select product_no, orders
    from (
        select product_sales.product_no, count(*) as orders, rank() over (order by count(*) desc) as place
        from orders_with_product
        join product_sales using (order_no)
        where product_sales.product_no <> (select product_no from product)
        group by 1
    ) as together
    where place <= 10

),

product_totals as (

    select product_no, count(*) as orders
    from product_sales
    where product_no in (select product_no from leading_products) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date
    group by 1

),

base as (

    select
        (select count(*) from orders_with_product) as orders_with_product,
        (select count(*) from sales where store_no = (select store_no from product) and sold_on between ($today::date - interval '12 months')::date + 1 and $today::date) as orders

),

ranked as (

    select
        products.product_id,
        products.name,
        leading_products.orders,
        ratio(leading_products.orders::numeric / base.orders_with_product) as share,
        ratio(leading_products.orders::numeric * base.orders / (base.orders_with_product * product_totals.orders)) as lift
    from leading_products
    join product_totals using (product_no)
    join products using (product_no)
    cross join base
    where products.is_known
    order by leading_products.orders desc, lift desc, products.product_id
    limit 10

)

select
    'boughtTogether' as block,
    block_state(block_reason(product.last_landed_at, $now::timestamp, base.orders_with_product > 0, 'no_period_sales')) as state,
    block_reason(product.last_landed_at, $now::timestamp, base.orders_with_product > 0, 'no_period_sales') as reason,
    instant_text(product.last_landed_at) as "asOf",
    'source_window' as "periodApplied.basis",
    ($today::date - interval '12 months')::date + 1 as "window.from",
    $today::date as "window.to",
    ranked.product_id as "productId",
    ranked.name as "productName",
    ranked.orders,
    ranked.share,
    ranked.lift
from product
cross join base
left join ranked on true
order by ranked.orders desc, ranked.lift desc, ranked.product_id
