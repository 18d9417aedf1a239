-- The products of each customer's first purchase, in any store [D6], [D30].
-- Grain: one row per customer, integration and product. Gift cards and lines without a product are left out.
-- Key: customer_no, integration_id, product_id
-- Kept for: analyses
-- Partition: days of first_on
-- Order: first_on, customer_no, integration_id, product_id
-- Per: customer

select distinct orders.first_on, orders.customer_no, order_lines.integration_id, order_lines.product_id
from orders
join order_lines on order_lines.integration_id = orders.integration_id and order_lines.order_id = orders.order_id
where orders.customer_no is not null
    and not orders.is_recurring
    and order_lines.sold_units > 0
    and order_lines.product_id is not null
