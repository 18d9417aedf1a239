-- What was ordered and the catalog does not name, as it was called last.
-- Grain: one row per integration and product.

select
    order_lines.integration_id,
    order_lines.product_id,
    arg_max(
        order_lines.name, {ordered_at: orders.ordered_at, order_id: orders.order_id, line_no: order_lines.line_no}
    ) as name
from order_lines
anti join (from products where name is not null) as named using (integration_id, product_id)
join orders on orders.integration_id = order_lines.integration_id and orders.order_id = order_lines.order_id
where order_lines.product_id is not null
group by order_lines.integration_id, order_lines.product_id
order by order_lines.integration_id, order_lines.product_id
