-- The rows of /orders over the same days are the cards [D51]: counted ones in number and revenue. Each amount is rounded, by
-- half a cent at most.

with

rows as (

    select
        count(*) as orders,
        coalesce(sum(revenue::decimal(18, 2)), 0) as revenue,
        coalesce(sum("blendedContribution"::decimal(18, 2)), 0) as blended_contribution
    from profitability_orders

)

select rows.*, cards.orders as "ordersOfCards", cards.revenue as "revenueOfCards", cards."blendedContribution"
from rows
cross join profitability_cards as cards
where rows.orders <> cards.orders
    or abs(rows.revenue - cards.revenue::decimal(18, 2)) > 0.005 * (rows.orders + 1)
    or abs(rows.blended_contribution - cards."blendedContribution"::decimal(18, 2)) > 0.005 * (rows.orders + 1)
