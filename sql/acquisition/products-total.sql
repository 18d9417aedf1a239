-- What the products in the orders of a channel or campaign come to, compared with these orders.
-- Grain: one row.
-- Parameters: start_date, end_date (inclusive; null for the whole history). All others may be missing: channel,
--   integration_id, campaign_id, connector.
-- Follows [D8], [D14], [D15], [D66], [D86].

with

sold as (

    select
        count(*) as products,
        or_zero(sum(units))::bigint as units,
        or_zero(sum(kept_units))::bigint as kept_units,
        or_zero(sum(gross_value)) as gross_value,
        count(*) filter (where gross_sales is null) as without_sales,
        sum(net_sales) as net_sales,
        count(*) filter (where margin_total is not null) as products_with_margin,
        sum(margin_total) as margin_total
    from attributed_products()

)

select
    attributed.orders,
    money(attributed.revenue) as revenue,
    money(spend.investment) as investment,
    sold.products,
    sold.units as "grossUnits",
    sold.kept_units as "netUnits",
    money(sold.gross_value) as "grossSales",
    money(rounded_sum(attributed.revenue) - rounded_sum(sold.gross_value)) as "otherRevenue",
    case when sold.products = 0 then 0 when sold.without_sales = 0 then money(sold.net_sales) end as "netSales",
    sold.products_with_margin as "productsWithMargin",
    case when sold.products = 0 then 0 when sold.products_with_margin = sold.products then money(sold.margin_total) end
        as "marginTotal"
from attributed_revenue() as attributed
cross join attributed_spend() as spend
cross join sold
