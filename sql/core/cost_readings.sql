-- What the stores said that a unit costs them, and when: readings of storeb's inventory [D33].
-- Grain: one row per integration, variant and landing of an inventory item that it is stocked as.
-- Key: none
-- Kept for: increments
-- Order: all

with

-- What is stocked of a variant, from the catalog: one of the two APIs names only that in its inventory.
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
