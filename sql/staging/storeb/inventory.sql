-- Store B inventory items -> one row per item: its cost, and its stock over all locations.
-- Grain: inventory item as exported, by either API (snake_case and camelCase keys) or by a bulk operation, whose level
-- lines are in `__children`.
-- Follows [D33] (unit costs are read from here), [D35] (stock is null when no location was read; negative stays) and
-- [V6.5] (available, over the locations; a null cost is unknown). A stock level without its item is rejected:
-- it has neither the item's cost nor whether it is tracked, and covers one location only.

with

items as (

    select
        file_no,
        position,
        from_json("row", '{
            "id": "VARCHAR", "admin_graphql_api_id": "VARCHAR", "legacyResourceId": "VARCHAR",
            "inventory_item_id": "VARCHAR", "location_id": "VARCHAR", "sku": "VARCHAR", "tracked": "VARCHAR",
            "cost": "VARCHAR", "unitCost": {"amount": "VARCHAR", "currencyCode": "VARCHAR"},
            "variant": {
                "id": "VARCHAR", "legacyResourceId": "VARCHAR",
                "product": {"id": "VARCHAR", "legacyResourceId": "VARCHAR"}
            },
            "available": "VARCHAR", "inventoryLevels": "JSON", "inventory_levels": "JSON", "updated_at": "VARCHAR",
            "updatedAt": "VARCHAR", "__children": ["JSON"]
        }') as item
    from vendor_rows

),

-- A list is an array, a connection of `nodes` or of `edges`, or child lines of its type [V6.6].
items_with_lists as (

    select
        *,
        coalesce(item.id, item.admin_graphql_api_id, item.legacyResourceId) as own_id,
        coalesce(item.inventoryLevels, item.inventory_levels) as level_list
    from items

),

items_with_levels as (

    select
        *,
        gid('InventoryItem', coalesce(own_id, item.inventory_item_id)) as item_id,
        list_transform(
            list_concat(
                level_list -> '$[*]',
                level_list -> '$.nodes[*]',
                level_list -> '$.edges[*].node',
                list_filter(
                    item.__children,
                    lambda c: starts_with(c ->> '$.id', 'gid://shopify/InventoryLevel/')
                        or (not json_exists(c, '$.id') and json_exists(c, '$.quantities'))
                )
            ),
            lambda l: from_json(l, '{
                "available": "VARCHAR", "quantities": [{"name": "VARCHAR", "quantity": "VARCHAR"}]
            }')
        ) as levels
    from items_with_lists

),

items_with_stock as (

    select
        *,
        list_transform(levels, lambda l: coalesce(
            list_filter(l.quantities, lambda q: lower(q.name) = 'available')[1].quantity, l.available
        )) as units
    from items_with_levels

)

select
    file_no,
    position,
    item_id as inventory_item_id,
    gid('ProductVariant', coalesce(item.variant.id, item.variant.legacyResourceId)) as variant_id,
    gid('Product', coalesce(item.variant.product.id, item.variant.product.legacyResourceId)) as product_id,
    item.sku,
    item.tracked,
    coalesce(item.unitCost.amount, item.cost) as unit_cost,
    item.unitCost.currencyCode as cost_currency,
    coalesce(
        -- A value that is not a number is kept, so that the row is rejected.
        list_filter(
            units, lambda u: filled(u) is not null and try_cast(filled(u) as decimal(30, 6)) is null
        )[1],
        list_sum(list_transform(units, lambda u: try_cast(filled(u) as decimal(30, 6))))::varchar,
        item.available
    ) as available,
    coalesce(item.updated_at, item.updatedAt) as updated_at,
    case
        when own_id is null and item.location_id is not null
            then 'a stock level of one location, without its item''s cost and tracking: '
                || 'export the inventory items with their levels'
        when starts_with(item_id, 'gid://') and not starts_with(item_id, 'gid://shopify/InventoryItem/')
            then 'not an inventory item: ' || item_id
        -- A value that is not a list would be read as an empty list, and one page of a list as the whole list.
        when coalesce(json_type(level_list, '$.nodes'), json_type(level_list, '$.edges'), json_type(level_list))
            not in ('NULL', 'ARRAY')
            then 'inventoryLevels: not a list'
        when level_list ->> '$.pageInfo.hasNextPage' = 'true'
            then 'inventoryLevels: cut off after its first page'
    end as _reject
from items_with_stock
