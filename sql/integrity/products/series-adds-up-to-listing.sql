-- The buckets of a product's series add up to its row in the listing. Checked for the store's best seller. The answers
-- are rounded to the cent: each bucket may lose half a cent.

with

buckets as (

    select "productId", unnest(data, recursive := true)
    from products_series

),

added as (

    select
        "productId",
        count(*) as buckets,
        coalesce(sum("netSales"), 0) as net_sales,
        coalesce(sum("netUnits"), 0) as units
    from buckets
    group by all

)

select added.*, products_listing."netSales", products_listing."netUnits"
from added
left join products_listing on products_listing."productId" = added."productId"
where products_listing."productId" is null
    or abs(coalesce(products_listing."netSales", 0) - added.net_sales) > 0.005 * (added.buckets + 1) + 0.000001
    or products_listing."netUnits" <> added.units
