-- Campaigns that no rule of the settings classifies [D13], with their orders [D14].
-- Grain: one row per campaign, by revenue, then spend. Parameters: none.

with

spends as (

    select connector, campaign_key, sum(spend) as spend
    from media_spend
    group by all

),

attributed as (

    select campaign_connector, campaign_key, count(*) as orders, sum(revenue) as revenue
    from orders
    where campaign_connector is not null
    group by all

)

select
    campaigns.campaign_id as "campaignId",
    campaigns.campaign_name as "campaignName",
    campaigns.connector,
    coalesce(attributed.orders, 0)::int as orders,
    money(coalesce(attributed.revenue, 0)) as revenue,
    money(coalesce(spends.spend, 0)) as spend
from campaigns
left join spends
    on spends.connector = campaigns.connector and spends.campaign_key = campaigns.campaign_key
left join attributed
    on attributed.campaign_connector = campaigns.connector and attributed.campaign_key = campaigns.campaign_key
where campaigns.strategy is null
order by revenue desc, spend desc, campaigns.campaign_key, campaigns.connector
