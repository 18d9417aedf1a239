-- The products most often in the same order as this one, in the last 12 months.
-- Grain: one row; `rows` has up to ten products, which overlap: an order counts for each product in it.
-- Parameters: integration_id, product_id, today, now.
-- Follows [D40]: `share` is that of the orders with this product; `lift` is the share over the product's share of all
-- sales. Sorted by the values that the client sees [D8].

with

year_sales as (

    select count(*) as orders
    from sales
    where integration_id = requested_store_id() and sold_on between year_start() and year_end()

),

year_lines as (

    select order_id, product_id
    from product_sales
    where integration_id = requested_store_id() and sold_on between year_start() and year_end()

),

orders_with_product as (

    select order_id from year_lines where product_id = requested_product_id()

),

base as (

    select count(*) as orders from orders_with_product

),

products_together as (

    select
        year_lines.product_id,
        count(*) as orders,
        count(orders_with_product.order_id) as orders_together
    from year_lines
    left join orders_with_product on orders_with_product.order_id = year_lines.order_id
    where year_lines.product_id <> requested_product_id()
    group by year_lines.product_id
    having orders_together > 0

),

ranked as (

    select
        products_together.product_id,
        product_identities.name as product_name,
        products_together.orders_together as orders,
        ratio(safe_divide(products_together.orders_together, base.orders)) as share,
        ratio(safe_divide(
            products_together.orders_together * year_sales.orders, base.orders * products_together.orders
        )) as lift
    from products_together
    cross join base
    cross join year_sales
    join product_identities
        on product_identities.integration_id = requested_store_id()
        and product_identities.product_id = products_together.product_id
    order by orders desc, lift desc, product_id
    limit 10

),

product_rows as (

    select
        list(
            {productId: product_id, productName: product_name, orders: orders, share: share, lift: lift}
            order by orders desc, lift desc, product_id
        ) as rows
    from ranked

)

select
    block_reason(store_as_of(), base.orders > 0, 'no_period_sales') as reason,
    instant_text(store_as_of()) as "asOf",
    year_window() as "window",
    coalesce(product_rows.rows, []) as rows
from base
cross join product_rows
