-- Store A catalog -> one row per exported SKU or product.
-- Grain: SKU (with its ProductId), or product without SKU (sku_id null). The status and the category are those of the
-- product, which may be active while its SKU is not. A SKU's own endpoints have fewer fields of the product than its
-- context; the missing ones are null. Follows [D36], [D38] (the product's own category is the deepest of its path), [V5.6].

with

entries as (

    select
        file_no,
        position,
        from_json("row", '{
            "Id": "VARCHAR", "ProductId": "VARCHAR", "ProductName": "VARCHAR", "Name": "VARCHAR",
            "IsProductActive": "VARCHAR", "IsActive": "VARCHAR", "ProductCategoryIds": "VARCHAR",
            "CategoryId": "VARCHAR", "DepartmentId": "VARCHAR", "BrandId": "VARCHAR", "IsVisible": "VARCHAR",
            "ImageUrl": "VARCHAR", "RefId": "VARCHAR", "AlternateIds": {"RefId": "VARCHAR"}, "DateUpdated": "VARCHAR",
            "data": "VARCHAR", "range": "VARCHAR"
        }') as entry
    from vendor_rows

),

classified_entries as (

    select
        *,
        filled(entry.ProductId) is not null as is_sku,
        filled(entry.ProductId) is null
            and coalesce(entry.CategoryId, entry.DepartmentId, entry.BrandId, entry.IsVisible) is not null as is_product
    from entries

)

select
    file_no,
    position,
    case when is_sku then entry.ProductId when is_product then entry.Id end as product_id,
    case when is_sku then entry.Id end as sku_id,
    case when is_sku then entry.ProductName when is_product then entry.Name end as product_name,
    case when is_sku then entry.IsProductActive when is_product then entry.IsActive end as is_active,
    case when is_sku then entry.IsActive end as sku_is_active,
    coalesce(
        filled(split_part(rtrim(entry.ProductCategoryIds, '/ '), '/', -1)),
        filled(entry.CategoryId),
        entry.DepartmentId
    ) as category_id,
    case
        when is_sku then entry.ProductCategoryIds
        else concat('/', filled(entry.DepartmentId), '/', filled(entry.CategoryId), '/')
    end as category_path,
    entry.ImageUrl as image_url,
    coalesce(filled(entry.RefId), entry.AlternateIds.RefId) as ref_id,
    entry.DateUpdated as updated_at,
    case
        when is_product or (is_sku and filled(entry.Id) is not null) then null
        when is_sku then 'Id: missing'
        when entry.data is not null and entry.range is not null
            then 'only a list of ids: the SKUs or products themselves are needed'
        else 'neither a SKU (Id, ProductId) nor a product (Id, CategoryId) of the catalog'
    end as _reject
from classified_entries
