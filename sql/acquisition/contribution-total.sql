-- The contribution of all channels and campaigns together.
-- Grain: one row.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D8], [D16], [D17], [D65].

-- A period without anything has no row of `all`: it cost nothing.
select
    money(or_zero(sum(investment))) as investment,
    or_zero(any_value(orders)) as orders,
    money(or_zero(sum(revenue))) as revenue,
    case when count(*) = 0 then 0 else money(sum(cost_of_goods)) end as "costOfGoods",
    case when count(*) = 0 then 0 else money(sum(variable_costs)) end as "variableCosts",
    case when count(*) = 0 then 0 else money(sum(after_costs)) end as "contributionAfterCosts",
    case when count(*) = 0 then 0 else money(sum(after_ads)) end as "contributionAfterAds",
    money(or_zero(sum(contribution_profit))) as "contributionProfit",
    ratio(any_value(cost_coverage)) as "costCoverage"
from contributions('all') as figures
