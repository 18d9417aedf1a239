-- The months of /metrics-evolution add up to /cards over the same days [D29].
-- Amounts are rounded one by one, by half a cent at most.

with

months as (

    select
        count(*) as months,
        coalesce(sum("totalRevenue"::decimal(18, 2)), 0) as revenue,
        coalesce(sum("totalInvestment"::decimal(18, 2)), 0) as investment,
        coalesce(sum("totalOrders"), 0) as orders,
        coalesce(sum("newCustomers"), 0) as new_customers,
        coalesce(sum(cogs::decimal(18, 2)), 0) as cogs,
        coalesce(sum("revenueWithCmv"::decimal(18, 2)), 0) as revenue_with_cost
    from profitability_metrics_evolution

)

select months.*, cards.revenue, cards.investment, cards.orders, cards."newCustomers", cards.cogs, cards."revenueWithCmv"
from months
cross join profitability_cards as cards
where abs(months.revenue - cards.revenue::decimal(18, 2)) > 0.005 * (months.months + 1)
    or abs(months.investment - cards.investment::decimal(18, 2)) > 0.005 * (months.months + 1)
    or months.orders <> cards.orders
    or months.new_customers <> cards."newCustomers"
    or abs(months.cogs - cards.cogs::decimal(18, 2)) > 0.005 * (months.months + 1)
    or abs(months.revenue_with_cost - cards."revenueWithCmv"::decimal(18, 2)) > 0.005 * (months.months + 1)
