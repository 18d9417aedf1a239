-- Store B products -> one row per product, its variants in a list.
-- Grain: product as exported, by either API (snake_case and camelCase keys) or by a bulk operation, whose child lines
-- are in `__children`.
-- Follows [D22] (gids, short taxonomy id with `na` as null, status lower case), [D38] (the names of a category's
-- ancestors come from its full name, which is kept) and [V6.1] (what the REST API leaves out comes from its
-- variants).

with

products as (

    select
        file_no,
        position,
        from_json("row", '{
            "id": "VARCHAR", "admin_graphql_api_id": "VARCHAR", "legacyResourceId": "VARCHAR", "title": "VARCHAR",
            "status": "VARCHAR", "product_type": "VARCHAR", "productType": "VARCHAR",
            "category": {
                "id": "VARCHAR", "admin_graphql_api_id": "VARCHAR", "name": "VARCHAR", "fullName": "VARCHAR",
                "full_name": "VARCHAR"
            },
            "priceRangeV2": {
                "maxVariantPrice": {"amount": "VARCHAR", "currencyCode": "VARCHAR"},
                "minVariantPrice": {"amount": "VARCHAR", "currencyCode": "VARCHAR"}
            },
            "totalInventory": "VARCHAR", "tracksInventory": "VARCHAR", "created_at": "VARCHAR",
            "createdAt": "VARCHAR", "published_at": "VARCHAR", "publishedAt": "VARCHAR", "updated_at": "VARCHAR",
            "updatedAt": "VARCHAR", "image": {"src": "VARCHAR"},
            "featuredMedia": {"preview": {"image": {"url": "VARCHAR"}}},
            "featuredImage": {"url": "VARCHAR", "originalSrc": "VARCHAR", "src": "VARCHAR"},
            "images": "JSON", "variants": "JSON", "__children": ["JSON"]
        }') as product
    from vendor_rows

),

-- A list is an array, a connection of `nodes` or of `edges`, or child lines of its type [V6.6].
products_with_lists as (

    select
        *,
        gid('Product', coalesce(product.id, product.admin_graphql_api_id, product.legacyResourceId)) as product_id,
        regexp_replace(
            filled(coalesce(product.category.id, product.category.admin_graphql_api_id)),
            '^gid://shopify/TaxonomyCategory/',
            ''
        ) as taxonomy_id,
        list_transform(
            list_concat(
                product.variants -> '$[*]',
                product.variants -> '$.nodes[*]',
                product.variants -> '$.edges[*].node',
                list_filter(product.__children, lambda c: starts_with(c ->> '$.id', 'gid://shopify/ProductVariant/'))
            ),
            lambda v: struct_insert(from_json(v, '{
                "id": "VARCHAR", "admin_graphql_api_id": "VARCHAR", "legacyResourceId": "VARCHAR", "sku": "VARCHAR",
                "price": "VARCHAR", "inventory_item_id": "VARCHAR",
                "inventoryItem": {"id": "VARCHAR", "legacyResourceId": "VARCHAR", "tracked": "VARCHAR"},
                "inventory_management": "VARCHAR", "inventory_policy": "VARCHAR", "inventoryPolicy": "VARCHAR",
                "inventory_quantity": "VARCHAR", "inventoryQuantity": "VARCHAR"
            }'), names_management := json_exists(v, '$.inventory_management'))
        ) as vendor_variants,
        list_transform(
            list_concat(
                product.images -> '$[*]',
                product.images -> '$.nodes[*]',
                product.images -> '$.edges[*].node',
                list_filter(product.__children, lambda c: starts_with(c ->> '$.id', 'gid://shopify/ProductImage/')),
                list_filter(product.__children, lambda c: starts_with(c ->> '$.id', 'gid://shopify/MediaImage/'))
            ),
            lambda i: from_json(i, '{
                "src": "VARCHAR", "url": "VARCHAR", "originalSrc": "VARCHAR", "image": {"url": "VARCHAR"},
                "preview": {"image": {"url": "VARCHAR"}}
            }')
        ) as vendor_images
    from products

),

products_with_variants as (

    select
        *,
        list_transform(vendor_variants, lambda v: {
            variant_id: gid('ProductVariant', coalesce(v.id, v.admin_graphql_api_id, v.legacyResourceId)),
            legacy_id: coalesce(filled(v.legacyResourceId), regexp_extract(v.id, '([0-9]+)$', 1)),
            sku: v.sku,
            price: v.price,
            inventory_item_id: gid(
                'InventoryItem', coalesce(v.inventory_item_id, v.inventoryItem.id, v.inventoryItem.legacyResourceId)
            ),
            -- In the REST API null means that the stock is not managed.
            tracked: coalesce(
                v.inventoryItem.tracked,
                case
                    when filled(v.inventory_management) is not null
                        then (v.inventory_management = 'shopify')::varchar
                    when v.names_management then 'false'
                end
            ),
            inventory_policy: lower(coalesce(v.inventory_policy, v.inventoryPolicy)),
            inventory_quantity: coalesce(v.inventory_quantity, v.inventoryQuantity)
        }) as variants
    from products_with_lists

),

products_with_sums as (

    -- A value of a variant that is not a number makes the row rejected, with the variant named.
    select
        *,
        list_transform(variants, lambda v: try_cast(filled(v.price) as decimal(30, 6))) as prices,
        list_sum(list_transform(
            variants, lambda v: try_cast(filled(v.inventory_quantity) as decimal(30, 0))
        )) as units,
        list_bool_or(list_transform(variants, lambda v: try_cast(filled(v.tracked) as boolean))) as any_tracked
    from products_with_variants

)

select
    file_no,
    position,
    product_id as id,
    product.title,
    lower(product.status) as status,
    coalesce(product.product_type, product.productType) as product_type,
    nullif(taxonomy_id, 'na') as category_id,
    case
        when taxonomy_id <> 'na' then coalesce(
            filled(product.category.name),
            filled(split_part(coalesce(product.category.fullName, product.category.full_name), ' > ', -1))
        )
    end as category_name,
    case
        when taxonomy_id <> 'na' then coalesce(product.category.fullName, product.category.full_name)
    end as category_full_name,
    product.priceRangeV2.maxVariantPrice.currencyCode as price_range_v2_max_variant_price_currency_code,
    product.priceRangeV2.minVariantPrice.currencyCode as price_range_v2_min_variant_price_currency_code,
    coalesce(product.totalInventory, units::varchar) as total_inventory,
    coalesce(product.priceRangeV2.maxVariantPrice.amount, list_max(prices)::varchar)
        as price_range_v2_max_variant_price_amount,
    coalesce(product.priceRangeV2.minVariantPrice.amount, list_min(prices)::varchar)
        as price_range_v2_min_variant_price_amount,
    coalesce(product.tracksInventory, any_tracked::varchar) as tracks_inventory,
    coalesce(product.created_at, product.createdAt) as created_at,
    coalesce(product.published_at, product.publishedAt) as published_at,
    coalesce(product.updated_at, product.updatedAt) as updated_at,
    coalesce(
        filled(product.featuredMedia.preview.image.url),
        filled(product.featuredImage.url),
        filled(product.featuredImage.originalSrc),
        filled(product.featuredImage.src),
        filled(product.image.src),
        list_filter(
            list_transform(
                vendor_images,
                lambda i: filled(coalesce(i.src, i.url, i.originalSrc, i.image.url, i.preview.image.url))
            ),
            lambda url: url is not null
        )[1]
    ) as image_url,
    variants,
    case
        when starts_with(product_id, 'gid://') and not starts_with(product_id, 'gid://shopify/Product/')
            then 'not a product: ' || product_id
        -- A value that is not a list would be read as an empty list.
        when coalesce(
            json_type(product.variants, '$.nodes'), json_type(product.variants, '$.edges'), json_type(product.variants)
        ) not in ('NULL', 'ARRAY')
            then 'variants: not a list'
        when len(list_filter(
            variants, lambda v: coalesce(v.variant_id, v.sku, v.price, v.inventory_quantity) is null
        )) > 0
            then 'variants[]: not a variant'
    end as _reject
from products_with_sums
