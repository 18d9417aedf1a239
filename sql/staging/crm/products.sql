-- CRM products -> one row per vendor row.
-- Grain: product as exported. Blank properties are null by [D22]. Follows [V4.2].

with

products as (

    select
        file_no,
        position,
        from_json("row", '{
            "id": "VARCHAR", "createdAt": "VARCHAR", "updatedAt": "VARCHAR", "archived": "VARCHAR",
            "properties": {"hs_object_id": "VARCHAR", "name": "VARCHAR", "hs_sku": "VARCHAR", "price": "VARCHAR"}
        }') as product
    from vendor_rows

)

select
    file_no,
    position,
    coalesce(product.id, product.properties.hs_object_id) as id,
    product.properties.name,
    product.properties.hs_sku as crm_sku,
    product.properties.price,
    product.createdAt as created_at,
    product.updatedAt as updated_at,
    product.archived
from products
