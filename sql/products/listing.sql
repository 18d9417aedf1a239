-- A page of the products that the request selects, each with its metrics, the state of its data, and why a metric is
-- not available.
-- Grain: one row per product.
-- Parameters: integration_id, date_from, date_to, today, now; search, status (all, active, inactive), category_ids
--   (joined by commas), min_* and max_* of net_sales, margin_total, margin_average, available_stock; sort_by,
--   sort_order (asc, desc), page, page_size.
-- Follows [D33], [D34], [D35], [D36]; sorted by what the client sees [D8], what is not available last, ties by product.

with

selected as (

    select
        *,
        case getvariable('p').sort_by
            when 'grossSales' then "grossSales"
            when 'netSales' then "netSales"
            when 'netUnits' then "netUnits"
            when 'averageTicket' then "averageTicket"
            when 'marginAverage' then "marginAverage"
            when 'marginTotal' then "marginTotal"
            when 'newCustomers' then "newCustomers"
            when 'recurringCustomers' then "recurringCustomers"
            when 'ltv180' then ltv180
            when 'repurchaseRate180' then "repurchaseRate180"
            when 'ltvToDate' then "ltvToDate"
            when 'repurchaseRateToDate' then "repurchaseRateToDate"
            when 'entryCustomers' then "entryCustomers"
            when 'matureEntryCustomers' then "matureEntryCustomers"
            when 'availableStock' then "availableStock"
            when 'daysOfStock' then "daysOfStock"
            when 'returnRate' then "returnRate"
            when 'updatedAt' then epoch_ms(updated_at)
        end as sort_number,
        case when getvariable('p').sort_by = 'productName' then lower(name) end as sort_text
    from selected_products()

),

placed as (

    select
        *,
        row_number() over (
            order by
                case when getvariable('p').sort_order = 'asc' then sort_number end nulls last,
                case when getvariable('p').sort_order = 'desc' then sort_number end desc nulls last,
                case when getvariable('p').sort_order = 'asc' then sort_text end nulls last,
                case when getvariable('p').sort_order = 'desc' then sort_text end desc nulls last,
                product_id
        ) as place
    from selected

)

select
    placed.integration_id as "integrationId",
    placed.product_id as "productId",
    placed.name as "productName",
    case when placed.is_active then 'active' else 'inactive' end as status,
    placed.category_id as "categoryId",
    nodes.rollup_name as "categoryName",
    placed.image_url as "imageUrl",
    instant_text(placed.updated_at) as "updatedAt",
    placed.* exclude (
        integration_id, product_id, name, is_catalogued, is_active, category_id, image_url, updated_at, orders, units,
        returned_units, sort_number, sort_text, place
    )
from placed
left join product_categories as nodes
    on nodes.integration_id = placed.integration_id
    and nodes.category_id = placed.category_id
    and nodes.rollup_id = placed.category_id
where placed.place > (getvariable('p').page - 1) * getvariable('p').page_size
    and placed.place <= getvariable('p').page * getvariable('p').page_size
order by placed.place
