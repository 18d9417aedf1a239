-- Grain: one object per SKU of the first store's catalog, one SKU a product, in fifty categories under five departments.
select
    number as "Id",
    number as "ProductId",
    name_of(number) as "ProductName",
    'Único' as "SkuName",
    true as "IsActive",
    number % 97 <> 0 as "IsProductActive",
    '/' || (1 + number % 5) || '/' || (10 + number % 50) || '/' as "ProductCategoryIds",
    'https://loja.exemplo.com.br/' || number || '.jpg' as "ImageUrl"
from (select unnest(range(1, getvariable('products')::bigint + 1)) as number)
order by number
