-- The products most often in the same order as this one, in the last 12 months.
-- Grain: one row; `rows` has up to ten products, which overlap: an order counts for each product in it.
-- Parameters: integration_id, product_id, today, now.
-- Follows [D40]: `share` is that of the orders with this product; `lift` is the share over the product's share of all
-- sales. Sorted by the values that the client sees [D8].

with

orders_with_product as (

    select product_ids
    from year_sales()
    where list_contains(product_ids, requested_product_id())

),

base as (

    select
        (select count(*) from orders_with_product) as orders,
        (select count(*) from year_sales()) as all_orders

),

products_together as (

    select product_id, count(*) as orders
    from (select unnest(product_ids) as product_id from orders_with_product)
    where product_id <> requested_product_id()
    group by product_id

),

products_sold as (

    select product_id, count(*) as orders
    from (select unnest(product_ids) as product_id from year_sales())
    group by product_id

),

ranked as (

    select
        products_together.product_id,
        products_together.orders,
        ratio(safe_divide(products_together.orders, base.orders)) as share,
        ratio(safe_divide(products_together.orders * base.all_orders, base.orders * products_sold.orders)) as lift
    from products_together
    join products_sold on products_sold.product_id = products_together.product_id
    cross join base
    order by products_together.orders desc, lift desc, products_together.product_id
    limit 10

),

product_rows as (

    select
        list(
            {
                productId: ranked.product_id,
                productName: product_identities.name,
                orders: ranked.orders,
                share: ranked.share,
                lift: ranked.lift
            }
            order by ranked.orders desc, ranked.lift desc, ranked.product_id
        ) as rows
    from ranked
    join product_identities
        on product_identities.integration_id = requested_store_id()
        and product_identities.product_id = ranked.product_id

)

select
    block_reason(store.is_stale, base.orders > 0, 'no_period_sales') as reason,
    instant_text(store.as_of) as "asOf",
    year_window() as "window",
    coalesce(product_rows.rows, []) as rows
from base
cross join product_rows
cross join requested_store() as store
