-- Products that were sold in units whose cost the store does not know [D17]: the twenty with the largest sales.
-- Grain: one row per integration and product. Parameters: none.

select
    order_lines.integration_id,
    order_lines.product_id,
    any_value(order_lines.name) as name,
    sum(order_lines.sold_units) as units,
    sum(order_lines."value") as revenue
from order_lines
join orders on orders.integration_id = order_lines.integration_id and orders.order_id = order_lines.order_id
where order_lines.unit_cost is null and order_lines.sold_units > 0
group by order_lines.integration_id, order_lines.product_id
order by revenue desc nulls last, order_lines.integration_id, order_lines.product_id
limit 20
