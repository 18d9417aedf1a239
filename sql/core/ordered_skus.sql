-- The SKUs in the orders of each product.
-- Grain: one row per integration, product and SKU in any order; `lines` counts the order lines.
-- Key: integration_id, product_id, sku_id
-- Kept for: increments
-- Sums: lines

select integration_id, product_id, sku_id, count(*) as lines
from order_lines
where product_id is not null
group by integration_id, product_id, sku_id
