-- The catalog of each store, as last exported.
-- Grain: one row per integration and product. `category_id` is the product's own category, or the nearest category
-- above it that the store's tree has; null without one [D38]. `updated_at` is the vendor's time, otherwise the
-- landing's [D36].
-- Key: integration_id, product_id
-- Kept for: analyses
-- Order: integration_id, product_id

with

storea_products as (

    select *
    from staging.storea_products
    -- A SKU's own endpoints do not describe the product: the newest row that does is used, even if it has only the status.
    qualify row_number() over (
        partition by integration_id, product_id
        order by
            product_name is not null desc,
            is_active is not null desc,
            updated_at desc nulls last,
            inserted_at desc,
            _landing_order desc,
            sku_id
    ) = 1

),

-- The path of the SKU that landed last; that of the product row only if no SKU has one.
storea_paths as (

    select
        integration_id,
        product_id,
        arg_max(
            list_filter(string_split(category_path, '/'), lambda id: trim(id) <> ''),
            {is_sku: sku_id is not null, inserted_at: inserted_at, landing: _landing_order, sku_id: sku_id}
        ) as category_ids
    from staging.storea_products
    where category_path is not null
    group by integration_id, product_id

),

catalog as (

    select
        storea_products.integration_id,
        storea_products.product_id,
        product_name as name,
        coalesce(is_active, false) as is_active,
        category_id,
        -- From the department down to the product's own category.
        list_slice(
            category_ids, 1, coalesce(nullif(list_position(category_ids, category_id), 0), len(category_ids))
        ) as category_ids,
        image_url,
        coalesce(updated_at, inserted_at) as updated_at
    from storea_products
    left join storea_paths
        on storea_paths.integration_id = storea_products.integration_id
        and storea_paths.product_id = storea_products.product_id

    union all

    select
        integration_id,
        id,
        title,
        coalesce(status = 'active', false),
        coalesce(category_id, type_slug(product_type)),
        null,
        image_url,
        coalesce(updated_at, inserted_at)
    from staging.storeb_products

),

-- Grain: one row per product and candidate category; the nearest has the highest level.
candidates as (

    select integration_id, product_id, category_id, 9223372036854775807 as level
    from catalog

    union all

    select integration_id, product_id, unnest(category_ids), generate_subscripts(category_ids, 1)
    from catalog

),

known_categories as (

    select
        candidates.integration_id,
        candidates.product_id,
        arg_max(candidates.category_id, candidates.level) as category_id
    from candidates
    join categories
        on categories.integration_id = candidates.integration_id and categories.category_id = candidates.category_id
    group by candidates.integration_id, candidates.product_id

)

select
    catalog.integration_id,
    catalog.product_id,
    catalog.name,
    catalog.is_active,
    known_categories.category_id,
    catalog.image_url,
    catalog.updated_at
from catalog
left join known_categories
    on known_categories.integration_id = catalog.integration_id and known_categories.product_id = catalog.product_id
