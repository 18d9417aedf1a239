-- Cost and results of each campaign in a period. A utm_campaign that matches no landed campaign is a campaign of its
-- own.
-- Grain: one row per campaign with records, orders or new customers in the period. One id of two connectors is two
-- campaigns.
-- Parameters: start_date, end_date (inclusive), integration_id, channel (filters; both may be missing).
-- Follows [D13], [D14], [D32], [D86].

with

unlanded_classes as (

    select campaign_key, any_value(strategy) as strategy
    from orders
    where campaign_connector is null
    group by all

)

select
    campaigns.campaign_id as "campaignId",
    coalesce(campaigns.campaign_name, figures.break_key) as "campaignName",
    figures.break_source as connector,
    case when figures.break_source is null then unlanded_classes.strategy else campaigns.strategy end as strategy,
    rounded_count(impressions) as impressions,
    rounded_count(clicks) as clicks,
    money(investment) as investment,
    orders,
    money(revenue) as revenue,
    new_customers as "newCustomers",
    money(new_customers_revenue) as "newCustomersRevenue",
    average(cac) as cac,
    average(ltv) as ltv,
    ratio(ltv_cac_ratio) as "ltvCacRatio",
    ratio(roi) as roi,
    months(payback) as "paybackMonths"
from acquisition_figures('campaign') as figures
left join campaigns
    on campaigns.connector = figures.break_source and campaigns.campaign_key = figures.break_key
left join unlanded_classes on unlanded_classes.campaign_key = figures.break_key
order by figures.investment desc nulls last, figures.new_customers desc, figures.break_key, figures.break_source
