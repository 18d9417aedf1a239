-- The names of ordered products that the catalog does not name: from the latest sale [D30], or from the latest order
-- of a product that was never sold.
-- Grain: one row per integration and product.
-- Key: integration_id, product_id
-- Kept for: analyses
-- Order: integration_id, product_id

select
    order_lines.integration_id,
    order_lines.product_id,
    arg_max(order_lines.name, {
        is_sale: orders.sold_at is not null and order_lines.sold_units > 0,
        named_at: coalesce(orders.sold_at, orders.ordered_at),
        order_id: orders.order_id,
        line_no: order_lines.line_no
    }) as name
from order_lines
anti join (from products where name is not null) as named using (integration_id, product_id)
join orders on orders.integration_id = order_lines.integration_id and orders.order_id = order_lines.order_id
where order_lines.product_id is not null
group by order_lines.integration_id, order_lines.product_id
