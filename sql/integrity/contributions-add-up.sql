-- The rows of /acquisition/contribution add up to its total, and the total is that of the cards [D65]. Each amount is rounded,
-- by half a cent at most.

with

rows_of_period as (

    select
        count(*) as rows,
        or_zero(sum(orders)) as orders,
        or_zero(sum(investment::decimal(18, 2))) as investment,
        or_zero(sum(revenue::decimal(18, 2))) as revenue,
        or_zero(sum("contributionProfit"::decimal(18, 2))) as contribution_profit,
        sum("contributionAfterAds"::decimal(18, 2)) as contribution_after_ads,
        or_zero(bool_or("contributionAfterAds" is null)::int) as is_unknown
    from acquisition_contribution

)

select
    rows_of_period.*,
    total.orders as "totalOrders",
    total.investment as "totalInvestment",
    total.revenue as "totalRevenue",
    total."contributionProfit",
    total."contributionAfterAds"
from rows_of_period
cross join acquisition_contribution_total as total
cross join profitability_cards as cards
where rows_of_period.orders <> total.orders
    or total.orders <> cards.orders
    or total.revenue <> cards.revenue
    or total.investment <> cards.investment
    or total."contributionProfit" <> cards."contributionProfit"
    or abs(rows_of_period.investment - total.investment::decimal(18, 2)) > 0.005 * (rows_of_period.rows + 1)
    or abs(rows_of_period.revenue - total.revenue::decimal(18, 2)) > 0.005 * (rows_of_period.rows + 1)
    or abs(rows_of_period.contribution_profit - total."contributionProfit"::decimal(18, 2)) > 0.005 * (rows_of_period.rows + 1)
    or (
        rows_of_period.is_unknown = 0
        and abs(or_zero(rows_of_period.contribution_after_ads) - total."contributionAfterAds"::decimal(18, 2))
            > 0.005 * (rows_of_period.rows + 1)
    )
