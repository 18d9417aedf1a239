-- Unit costs that the stores reported, with the time: readings of storeb's inventory [D33].
-- Grain: one row per integration, variant and landing of an inventory item of the variant.
-- Key: none
-- Kept for: increments
-- Order: all

with

-- The inventory item of each variant, from the catalog: the inventory of one of the two APIs names only the item.
stocked as (

    select integration_id, variant.inventory_item_id as inventory_item_id, min(variant.variant_id) as variant_id
    from (select integration_id, unnest(variants, recursive := false) as variant from staging.storeb_products)
    where variant.inventory_item_id is not null
    group by all

)

select
    inventory.integration_id,
    coalesce(inventory.variant_id, stocked.variant_id) as variant_id,
    inventory.inserted_at,
    inventory.unit_cost,
    inventory.cost_currency
from staging.storeb_inventory as inventory
left join stocked
    on stocked.integration_id = inventory.integration_id
    and stocked.inventory_item_id = inventory.inventory_item_id
where coalesce(inventory.variant_id, stocked.variant_id) is not null
