-- storeb products as the row endpoint serves them: as exported. A product without a currency, as in REST exports, has
-- the store's currency [D37].
-- Grain: one row per product.
-- Key: document_id
-- Kept for: row endpoints
-- Order: date_trunc('millisecond', created_at) nulls last, document_id

select
    storeb_products.* exclude (category_full_name, updated_at, image_url, variants, _landing_order)
    replace (
        coalesce(storeb_products.price_range_v2_max_variant_price_currency_code, product_stores.currency)
            as price_range_v2_max_variant_price_currency_code,
        coalesce(storeb_products.price_range_v2_min_variant_price_currency_code, product_stores.currency)
            as price_range_v2_min_variant_price_currency_code
    )
from staging.storeb_products
join product_stores on product_stores.integration_id = storeb_products.integration_id
