-- The product's row of the listing, for the period, and the base of its return rate.
-- Grain: one row.
-- Parameters: integration_id, product_id, date_from, date_to, today, now.
-- Follows [D33], [D34], [D35], [D36], [D40]; `asOf` is that of the row. A product that the catalog lacks has a row here whenever it
-- sold.

with

product as (

    select *, product_id as id
    from requested_product()

),

sold as (

    from period_sales_of_product()

),

recent as (

    select sold.*
    from sales_of_product() as sold
    join requested_store() as store on is_recent(sold.sold_on, store.as_of_day)

),

entered as (

    from period_entries_of_product()

),

totals as (

    from product_totals('product', 'sold', 'recent', 'entered')

)

select
    block_reason(store.is_stale, totals.units > 0, 'no_period_sales') as reason,
    requested_window(store) as "window",
    totals.integration_id as "integrationId",
    totals.product_id as "productId",
    totals.name as "productName",
    case when totals.is_active then 'active' else 'inactive' end as status,
    totals.category_id as "categoryId",
    totals.category_name as "categoryName",
    totals.image_url as "imageUrl",
    instant_text(totals.updated_at) as "updatedAt",
    figures.* exclude (id),
    {
        state: coalesce(figures."ndReasons".returnRate, 'measured'),
        soldUnits: totals.units,
        returnedUnits: totals.returned_units,
        returnRate: figures."returnRate"
    } as "returnMeasurement"
from totals
join product_figures('totals') as figures on figures.id = totals.id
cross join requested_store() as store
