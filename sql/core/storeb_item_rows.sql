-- storeb order items as the row endpoint serves them: those of each order's winning version [D47], with gift cards and lines that
-- were removed. A line without an id is named by its place.
-- Grain: one row per line.
-- Follows [D18], [D33].
-- Key: document_id
-- Kept for: row endpoints
-- Partition: ids of order_id
-- Order: order_id, document_id
-- Per: order version

with

items as (

    select
        * exclude (items, document_id),
        unnest(items) as item,
        generate_subscripts(items, 1) - 1 as line_no
    from staging.storeb_orders

)

select
    items.order_id,
    item.line_id,
    item.product_id,
    item.variant_id,
    item.sku,
    item.name,
    item.vendor,
    items.financial_status,
    item.quantity,
    item.current_quantity,
    item.price,
    item.discount,
    item.tax,
    (order_lines."value" / order_lines.quantity)::decimal(18, 6) as selling_price,
    order_lines.reported_cost as cost_price,
    item.is_gift_card as gift_card,
    coalesce(items.processed_at, items.created_at) as processed_at,
    items.organization_id,
    items.user_id,
    document_key('storeb', 'items', items.integration_id, [items.order_id, coalesce(item.line_id, items.line_no::varchar)])
        as document_id,
    items.integration_name,
    items.integration_id,
    items.inserted_at
from items
left join order_lines
    on order_lines.integration_id = items.integration_id
    and order_lines.order_id = items.order_id
    and order_lines.line_no = items.line_no
