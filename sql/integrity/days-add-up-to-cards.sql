-- The days of /cmv-evolution add up to /cards over the same days [D29]. Amounts are rounded one by one, by half a cent
-- at most.

with

days as (

    select
        count(*) as days,
        coalesce(sum(revenue::decimal(18, 2)), 0) as revenue,
        coalesce(sum(orders), 0) as orders,
        coalesce(sum(cogs::decimal(18, 2)), 0) as cogs,
        coalesce(sum("revenueWithCmv"::decimal(18, 2)), 0) as revenue_with_cost,
        coalesce(sum("revenueWithoutCmv"::decimal(18, 2)), 0) as revenue_without_cost
    from profitability_cmv_evolution

)

select days.*, cards.revenue, cards.orders, cards.cogs, cards."revenueWithCmv", cards."revenueWithoutCmv"
from days
cross join profitability_cards as cards
where abs(days.revenue - cards.revenue::decimal(18, 2)) > 0.005 * (days.days + 1)
    or days.orders <> cards.orders
    or abs(days.cogs - cards.cogs::decimal(18, 2)) > 0.005 * (days.days + 1)
    or abs(days.revenue_with_cost - cards."revenueWithCmv"::decimal(18, 2)) > 0.005 * (days.days + 1)
    or abs(days.revenue_without_cost - cards."revenueWithoutCmv"::decimal(18, 2)) > 0.005 * (days.days + 1)
