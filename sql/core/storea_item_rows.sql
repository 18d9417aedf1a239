-- storea order items as the row endpoint serves them: those of each order's winning version [D47].
-- Grain: one row per item.
-- Key: document_id
-- Kept for: row endpoints
-- Partition: ids of order_id
-- Order: order_id, document_id
-- Per: order version

with

items as (

    select
        * exclude (items, document_id),
        unnest(items) as item
    from staging.storea_orders

)

select
    order_id,
    item.unique_id,
    item.id,
    item.product_id,
    item.ean,
    item.seller,
    item.name,
    item.brand_name,
    item.brand_id,
    item.measurement_unit,
    item.image_url,
    item.detail_url,
    item.quantity,
    item.price,
    item.selling_price,
    item.unit_multiplier,
    item.commission,
    item.tax,
    item.cost_price,
    organization_id,
    user_id,
    document_key('storea', 'items', integration_id, [order_id, coalesce(item.unique_id, item.item_no::varchar)])
        as document_id,
    integration_name,
    integration_id,
    organization_id_legacy,
    inserted_at
from items
