-- Every product that a store has in its catalog or ever sold, with its name, category and stock [D35], [D36], [D38].
-- Grain: one row per integration and product. A name or picture that the catalog lacks is taken from the latest sale.
-- The stock is that of inventory: `stock_state` is `unknown`, and the rest null, for a product without SKUs.
-- Key: integration_id, product_id
-- Kept for: analyses
-- Order: integration_id, product_id

with

sold_products as (

    select distinct integration_id, product_id
    from product_sales

),

-- A product exported without SKUs has no picture, but one of its SKUs may.
sku_pictures as (

    select
        integration_id,
        product_id,
        arg_max(image_url, {inserted_at: inserted_at, landing: _landing_order, sku_id: sku_id}) as image_url
    from staging.storea_products
    group by integration_id, product_id

),

catalogued as (

    select
        coalesce(products.integration_id, sold_products.integration_id) as integration_id,
        coalesce(products.product_id, sold_products.product_id) as product_id,
        products.name,
        products.product_id is not null as is_catalogued,
        coalesce(products.is_active, false) as is_active,
        coalesce(products.category_id, 'uncategorized') as category_id,
        coalesce(products.image_url, sku_pictures.image_url) as image_url,
        products.updated_at
    from products
    full join sold_products
        on sold_products.integration_id = products.integration_id and sold_products.product_id = products.product_id
    left join sku_pictures
        on sku_pictures.integration_id = products.integration_id and sku_pictures.product_id = products.product_id

),

-- Only products without a picture are looked up among the sales.
sold_pictures as (

    select
        sales.integration_id,
        order_lines.product_id,
        arg_max(
            order_lines.image_url, {sold_at: sales.sold_at, order_id: sales.order_id, line_no: order_lines.line_no}
        ) as image_url
    from order_lines
    semi join (from catalogued where image_url is null) as pictureless using (integration_id, product_id)
    join sales on sales.integration_id = order_lines.integration_id and sales.order_id = order_lines.order_id
    where order_lines.image_url is not null and order_lines.sold_units > 0
    group by sales.integration_id, order_lines.product_id

)

select
    catalogued.* replace (
        coalesce(catalogued.name, sold_names.name) as name,
        coalesce(catalogued.image_url, sold_pictures.image_url) as image_url
    ),
    product_categories.rollup_name as category_name,
    coalesce(inventory.state, 'unknown') as stock_state,
    inventory.available,
    inventory.skus,
    inventory.skus_read,
    inventory.read_at
from catalogued
left join (from product_names where is_sold) as sold_names using (integration_id, product_id)
left join sold_pictures using (integration_id, product_id)
left join inventory using (integration_id, product_id)
left join product_categories
    on product_categories.integration_id = catalogued.integration_id
    and product_categories.category_id = catalogued.category_id
    and product_categories.rollup_id = catalogued.category_id
