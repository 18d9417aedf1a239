-- The products of each customer's first purchase, in any store [D6], [D30], and their brands [D87].
-- Grain: one row per customer, integration, product and brand (upper case; null without one). Gift cards and lines without a
-- product are left out. `is_of_product` marks one row of each product.
-- Key: customer_no, integration_id, product_id, brand_key
-- Kept for: analyses
-- Partition: days of first_on
-- Order: first_on, customer_no, integration_id, product_id, brand_key
-- Per: customer

with

bought as (

    select distinct
        orders.first_on,
        orders.customer_no,
        order_lines.integration_id,
        order_lines.product_id,
        upper(order_lines.brand) as brand_key
    from orders
    join order_lines on order_lines.integration_id = orders.integration_id and order_lines.order_id = orders.order_id
    where orders.customer_no is not null
        and not orders.is_recurring
        and order_lines.sold_units > 0
        and order_lines.product_id is not null

)

select
    *,
    row_number() over (partition by customer_no, integration_id, product_id order by brand_key) = 1 as is_of_product
from bought
