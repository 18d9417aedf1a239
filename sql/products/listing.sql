-- A page of the products that the request selects, or all of them, each with its metrics, the state of its data, and why
-- a metric is not available.
-- Grain: one row per product.
-- Parameters: integration_id, date_from, date_to, today, now; search, status (all, active, inactive), category_ids
--   (joined by commas), min_* and max_* of net_sales, margin_total, margin_average, available_stock; sort_by,
--   sort_order (asc, desc), page, page_size, all (null or false: the page).
-- Follows [D33], [D34], [D35], [D36]; sorted by what the client sees [D8], what is not available last, ties by product.

with

selected as (

    from selected_products()

),

sorted as (

    select
        selected.product_id,
        case sort_key()
            when 'grossSales' then figures."grossSales"
            when 'netSales' then figures."netSales"
            when 'netUnits' then figures."netUnits"
            when 'averageTicket' then figures."averageTicket"
            when 'marginAverage' then figures."marginAverage"
            when 'marginTotal' then figures."marginTotal"
            when 'newCustomers' then figures."newCustomers"
            when 'recurringCustomers' then figures."recurringCustomers"
            when 'ltv180' then figures.ltv180
            when 'repurchaseRate180' then figures."repurchaseRate180"
            when 'ltvToDate' then figures."ltvToDate"
            when 'repurchaseRateToDate' then figures."repurchaseRateToDate"
            when 'entryCustomers' then figures."entryCustomers"
            when 'matureEntryCustomers' then figures."matureEntryCustomers"
            when 'availableStock' then figures."availableStock"
            when 'daysOfStock' then figures."daysOfStock"
            when 'returnRate' then figures."returnRate"
            when 'updatedAt' then epoch_ms(selected.updated_at)
        end as sort_number,
        case when sort_key() = 'productName' then lower(selected.name) end as sort_text
    from selected
    join product_figures('selected') as figures on figures.id = selected.id

),

page as (

    select
        *,
        row_number() over (
            order by
                case when sort_direction() = 'asc' then sort_number end nulls last,
                case when sort_direction() = 'desc' then sort_number end desc nulls last,
                case when sort_direction() = 'asc' then sort_text end nulls last,
                case when sort_direction() = 'desc' then sort_text end desc nulls last,
                product_id
        ) as place
    from sorted
    qualify wants_all()
        or place > (page_number() - 1) * page_size()
        and place <= page_number() * page_size()

),

listed as (

    select selected.*, page.place
    from selected
    join page on page.product_id = selected.product_id

)

select
    listed.integration_id as "integrationId",
    listed.product_id as "productId",
    listed.name as "productName",
    case when listed.is_active then 'active' else 'inactive' end as status,
    listed.category_id as "categoryId",
    listed.category_name as "categoryName",
    listed.image_url as "imageUrl",
    instant_text(listed.updated_at) as "updatedAt",
    figures.* exclude (id)
from listed
join product_figures('listed') as figures on figures.id = listed.id
order by listed.place
