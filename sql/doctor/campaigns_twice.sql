-- Campaigns that have landed with their id and, from a download without ids, by their name: days of both count twice.
-- Grain: one row per campaign by name, by the spend of these days. Parameters: none.

with

spends as (

    select
        media_spend.connector,
        media_spend.spent_on,
        campaigns.campaign_id,
        campaigns.campaign_name,
        starts_with(campaigns.campaign_id, 'name:') as is_by_name,
        media_spend.spend
    from media_spend
    join campaigns
        on campaigns.connector = media_spend.connector and campaigns.campaign_key = media_spend.campaign_key
    where media_spend.spend > 0

)

select
    named.campaign_id as "campaignId",
    named.campaign_name as "campaignName",
    named.connector,
    count(*)::int as days,
    money(sum(named.spend)) as spend
from spends as named
semi join spends as known
    on known.connector = named.connector
    and known.campaign_name = named.campaign_name
    and known.spent_on = named.spent_on
    and not known.is_by_name
where named.is_by_name
group by all
order by spend desc, "campaignId", named.connector
