-- What each channel or campaign leaves in a period after the cost of goods, variable costs and media spend, what lost most
-- first; their sums are the cards of the same period.
-- Grain: one row per channel or campaign with records or orders in the period; one for orders without a campaign, whose key
-- is null. One id of two connectors is two campaigns.
-- Parameters: start_date, end_date (inclusive; null for the whole history), break_by (campanha, origem),
--   integration_id, channel (filters; both may be missing).
-- Follows [D8], [D13], [D14], [D15], [D16], [D17], [D65], [D86].

select
    coalesce(campaigns.campaign_id, figures.break_key) as "breakKey",
    case
        when break_by() = 'origem' then channel_label(figures.break_key)
        else coalesce(campaigns.campaign_name, figures.break_key)
    end as "breakLabel",
    figures.break_source as connector,
    case when figures.break_source is null then figures.strategy else campaigns.strategy end as strategy,
    money(figures.investment) as investment,
    figures.orders,
    money(figures.revenue) as revenue,
    figures.net_revenue::double as "netRevenue",
    figures.cost_of_goods::double as "costOfGoods",
    figures.variable_costs::double as "variableCosts",
    figures.after_costs::double as "contributionAfterCosts",
    figures.after_ads::double as "contributionAfterAds",
    money(figures.contribution_profit) as "contributionProfit",
    ratio(figures.cost_coverage) as "costCoverage"
-- As a text, so that the attribute is a constant in each branch of contributions.
from query(format('from contributions(''{}'')', coalesce(broken_by()[1], 'campaign'))) as figures
left join campaigns
    on campaigns.connector = figures.break_source and campaigns.campaign_key = figures.break_key
order by
    figures.break_key is null,
    "contributionAfterAds" nulls last,
    "contributionProfit" nulls last,
    figures.break_key,
    figures.break_source nulls last
