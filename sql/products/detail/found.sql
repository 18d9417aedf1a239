-- Whether the store has the product in its catalog or ever sold it; entry customers are among its buyers.
-- Grain: one row when it has, otherwise no row.
-- Parameters: integration_id, product_id.

select product_id as "productId"
from product_identities
where integration_id = requested_store_id() and product_id = requested_product_id()
