-- The product's row of the listing, for the period, and the base of its return rate.
-- Grain: one row.
-- Parameters: integration_id, product_id, date_from, date_to, today, now.
-- Follows [D33], [D34], [D35], [D36], [D40]; `asOf` is that of the row. A product that the catalog lacks has a row here whenever it
-- sold.

with

product as (

    select product_identities.*, product_categories.rollup_name as category_name
    from product_identities
    left join product_categories
        on product_categories.integration_id = product_identities.integration_id
        and product_categories.category_id = product_identities.category_id
        and product_categories.rollup_id = product_identities.category_id
    where product_identities.integration_id = requested_store_id()
        and product_identities.product_id = requested_product_id()

)

select
    block_reason(store_as_of(), figures.units > 0, 'no_period_sales') as reason,
    requested_window() as "window",
    product.integration_id as "integrationId",
    product.product_id as "productId",
    product.name as "productName",
    case when product.is_active then 'active' else 'inactive' end as status,
    product.category_id as "categoryId",
    product.category_name as "categoryName",
    product.image_url as "imageUrl",
    instant_text(product.updated_at) as "updatedAt",
    figures.* exclude (group_id, orders, units, returned_units),
    {
        state: coalesce(figures."ndReasons".returnRate, 'measured'),
        soldUnits: figures.units,
        returnedUnits: figures.returned_units,
        returnRate: figures."returnRate"
    } as "returnMeasurement"
from product
join product_figures([{group_id: requested_product_id(), product_id: requested_product_id()}]) as figures
    on figures.group_id = product.product_id
