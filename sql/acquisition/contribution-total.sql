-- The contribution of all channels and campaigns together.
-- Grain: one row.
-- Parameters: start_date, end_date (inclusive; null for the whole history), integration_id, channel (filters; both may be missing).
-- Follows [D8], [D16], [D17], [D65], [D86].

-- A period without anything has no row of `all`: it cost nothing, unless the spend is unknown.
select
    money(case when count(figures.orders) > 0 then sum(figures.investment) when any_value(spend.is_known) then 0 end) as investment,
    or_zero(any_value(figures.orders)) as orders,
    money(or_zero(sum(figures.revenue))) as revenue,
    or_zero(sum(figures.net_revenue))::double as "netRevenue",
    case when count(figures.orders) = 0 then 0 else sum(figures.cost_of_goods) end::double as "costOfGoods",
    or_zero(sum(figures.variable_costs))::double as "variableCosts",
    case when count(figures.orders) = 0 then 0 else sum(figures.after_costs) end::double as "contributionAfterCosts",
    case when count(figures.orders) > 0 then sum(figures.after_ads) when any_value(spend.is_known) then 0 end::double
        as "contributionAfterAds",
    money(case when count(figures.orders) > 0 then sum(figures.contribution_profit) when any_value(spend.is_known) then 0 end)
        as "contributionProfit",
    ratio(any_value(figures.cost_coverage)) as "costCoverage"
from spend_knowledge() as spend
left join contributions('all') as figures on true
