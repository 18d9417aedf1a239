-- The ids by which a site's tag may refer to a product: its own id, the ids of its SKUs in the catalog or in any
-- order, and for storeb also the number at the end of each of these [D40].
-- Grain: one row per integration, product and id.
-- Key: integration_id, product_id, item_id
-- Kept for: analyses
-- Order: integration_id, product_id, item_id

with

skus as (

    select integration_id, product_id, sku_id
    from staging.storea_products

    union

    select integration_id, id as product_id, variant.variant_id as sku_id
    from (select integration_id, id, unnest(variants, recursive := false) as variant from staging.storeb_products)

    union

    select integration_id, product_id, sku_id
    from ordered_skus

),

ids as (

    select integration_id, product_id, product_id as item_id from products

    union

    select integration_id, product_id, product_id from skus

    union

    select integration_id, product_id, sku_id from skus where sku_id is not null

),

numbers as (

    select ids.integration_id, ids.product_id, nullif(regexp_extract(ids.item_id, '/([0-9]+)$', 1), '') as item_id
    from ids
    join integrations on integrations.integration_id = ids.integration_id
    where integrations.connector = 'storeb'

)

select integration_id, product_id, item_id from ids

union

select integration_id, product_id, item_id from numbers where item_id is not null
