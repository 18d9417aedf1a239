-- Products that were sold in units whose cost the store does not know [D17].
-- Grain: one row per integration and product, by what these units were sold for. Parameters: none.

select
    any_value(integrations.integration_name) as integration,
    order_lines.integration_id as "integrationId",
    order_lines.product_id as "productId",
    case when order_lines.product_id is null then '(lines without a product id)' else any_value(order_lines.name) end as name,
    sum(order_lines.sold_units)::bigint::double as units,
    money(coalesce(sum(order_lines."value"), 0)) as revenue
from order_lines
join orders on orders.integration_id = order_lines.integration_id and orders.order_id = order_lines.order_id
join integrations on integrations.integration_id = order_lines.integration_id
where order_lines.unit_cost is null and order_lines.sold_units > 0
group by order_lines.integration_id, order_lines.product_id
order by revenue desc, "integrationId", "productId"
