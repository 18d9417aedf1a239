-- The rows of /acquisition/products add up to their total, and without a filter their orders, revenue and spend are those of the
-- cards [D66]. Each amount is rounded, by half a cent at most.

with

rows_of_period as (

    select
        count(*) as products,
        or_zero(sum("grossUnits")) as units,
        or_zero(sum("netUnits")) as kept_units,
        or_zero(sum("grossSales"::decimal(18, 2))) as gross_sales,
        or_zero(sum("marginTotal"::decimal(18, 2))) as margin_total,
        sum("investmentShare"::decimal(18, 2)) as investment
    from acquisition_products

)

select rows_of_period.*, total.*
from rows_of_period
cross join acquisition_products_total as total
cross join profitability_cards as cards
where rows_of_period.products <> total.products
    or rows_of_period.units <> total."grossUnits"
    or rows_of_period.kept_units <> total."netUnits"
    or abs(rows_of_period.gross_sales - total."grossSales"::decimal(18, 2)) > 0.005 * (rows_of_period.products + 1)
    or abs(rows_of_period.margin_total - total."marginTotal"::decimal(18, 2)) > 0.005 * (rows_of_period.products + 1)
    or abs(rows_of_period.investment - total.investment::decimal(18, 2)) > 0.005 * (rows_of_period.products + 1)
    or (
        optional_parameter('channel') is null
        and optional_parameter('campaign_id') is null
        and optional_parameter('connector') is null
        and (total.orders <> cards.orders or total.revenue <> cards.revenue or total.investment <> cards.investment)
    )
