-- Whether the store has the product in its catalog or ever sold it: entry customers are among its buyers.
-- Grain: one row when it has, else none.
-- Parameters: integration_id, product_id.

select product_id as "productId"
from product_identities
where integration_id = getvariable('p').integration_id and product_id = getvariable('p').product_id
