-- The contribution of all channels and campaigns together.
-- Grain: one row.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D8], [D16], [D17], [D65].

-- A period without anything has no row of `all`: it cost nothing.
select
    money(or_zero(sum(investment))) as investment,
    or_zero(any_value(orders)) as orders,
    money(or_zero(sum(revenue))) as revenue,
    or_zero(sum(net_revenue))::double as "netRevenue",
    case when count(*) = 0 then 0 else sum(cost_of_goods) end::double as "costOfGoods",
    or_zero(sum(variable_costs))::double as "variableCosts",
    case when count(*) = 0 then 0 else sum(after_costs) end::double as "contributionAfterCosts",
    case when count(*) = 0 then 0 else sum(after_ads) end::double as "contributionAfterAds",
    money(or_zero(sum(contribution_profit))) as "contributionProfit",
    ratio(any_value(cost_coverage)) as "costCoverage"
from contributions('all') as figures
