-- The catalog of each store as last exported.
-- Grain: one row per integration and product. `category_id` is the product's own category, null without one in the
-- store's tree [D38]; `updated_at` the vendor's time, else the landing's [D36].

with

storea_products as (

    select *
    from staging.storea_products
    -- A SKU's own endpoints do not tell what the product is: the newest row that does speaks for it, be it by its status
    -- alone.
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

catalog as (

    select
        integration_id,
        product_id,
        product_name as name,
        coalesce(is_active, false) as is_active,
        category_id,
        image_url,
        coalesce(updated_at, inserted_at) as updated_at
    from storea_products

    union all

    select
        integration_id,
        id,
        title,
        coalesce(status = 'active', false),
        coalesce(category_id, type_slug(product_type)),
        image_url,
        coalesce(updated_at, inserted_at)
    from staging.storeb_products

)

select catalog.* replace (categories.category_id as category_id)
from catalog
left join categories
    on categories.integration_id = catalog.integration_id and categories.category_id = catalog.category_id
order by catalog.integration_id, catalog.product_id
