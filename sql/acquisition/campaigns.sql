-- What each campaign cost and brought in a period; a utm_campaign that no landed campaign has stands for itself.
-- Grain: one row per campaign with records, orders or new customers in the period.
-- Parameters: start_date, end_date (inclusive).
-- Follows [D13], [D14], [D32].

with

unlanded_classes as (

    select campaign_key, any_value(strategy) as strategy
    from orders
    where not campaign_is_landed
    group by all

)

select
    campaigns.campaign_id as "campaignId",
    coalesce(campaigns.campaign_name, figures.break_key) as "campaignName",
    campaigns.connector,
    coalesce(campaigns.strategy, unlanded_classes.strategy) as strategy,
    whole(impressions) as impressions,
    whole(clicks) as clicks,
    money(investment) as investment,
    orders,
    money(revenue) as revenue,
    new_customers as "newCustomers",
    money(new_customers_revenue) as "newCustomersRevenue",
    money(cac) as cac,
    money(ltv) as ltv,
    ratio(ltv_cac_ratio) as "ltvCacRatio",
    ratio(roi) as roi,
    months(payback) as "paybackMonths"
from acquisition_figures('campaign') as figures
left join campaigns on campaigns.campaign_key = figures.break_key
left join unlanded_classes on unlanded_classes.campaign_key = figures.break_key
order by figures.investment desc, figures.new_customers desc, figures.break_key
