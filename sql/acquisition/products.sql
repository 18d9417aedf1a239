-- The products in the orders of a channel or campaign in a period, sorted: by default those of the highest margin first.
-- Grain: one row per product of which a unit was sold; the same id in two stores is two products.
-- Parameters: start_date, end_date (inclusive; null for the whole history). All others may be missing: channel,
--   integration_id, campaign_id, connector, sort_by (marginTotal, marginAfterAds, netSales), sort_order (asc, desc).
-- Follows [D8], [D14], [D15], [D18], [D33], [D66], [D86].

with

figures as (

    select
        sold.integration_id,
        sold.product_id,
        coalesce(identities.name, product_names.name) as name,
        identities.image_url,
        sold.orders,
        sold.units,
        sold.kept_units,
        money(sold.gross_sales) as gross_sales,
        money(sold.net_sales) as net_sales,
        money(sold.cost_of_goods) as cost_of_goods,
        money(sold.margin_total) as margin_total,
        margin_average(sold.margin_total, sold.net_sales) as margin_average,
        sold.nd_reason,
        average(sold.spend_share) as spend_share,
        bound(sold.margin_total::double - sold.spend_share) as margin_after_ads
    from attributed_products() as sold
    left join product_identities as identities using (integration_id, product_id)
    left join product_names using (integration_id, product_id)

),

sorted as (

    select
        *,
        case coalesce(optional_parameter('sort_by'), 'marginTotal')
            when 'marginAfterAds' then margin_after_ads
            when 'netSales' then net_sales
            else margin_total
        end as sort_number
    from figures

)

select
    integration_id as "integrationId",
    product_id as "productId",
    name as "productName",
    image_url as "imageUrl",
    orders,
    units as "grossUnits",
    kept_units as "netUnits",
    gross_sales as "grossSales",
    net_sales as "netSales",
    cost_of_goods as cogs,
    margin_total as "marginTotal",
    margin_average as "marginAverage",
    spend_share as "investmentShare",
    margin_after_ads as "marginAfterAds",
    nd_reason as "ndReason"
from sorted
order by
    case when coalesce(optional_parameter('sort_order'), 'desc') = 'asc' then sort_number end nulls last,
    case when coalesce(optional_parameter('sort_order'), 'desc') = 'desc' then sort_number end desc nulls last,
    product_id,
    integration_id
