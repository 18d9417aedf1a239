-- Campaigns that no rule of the settings classes [D13]: the twenty that spent most.
-- Grain: one row per campaign. Parameters: none.

select campaigns.campaign_id, campaigns.campaign_name, campaigns.connector, sum(media_spend.spend) as spend
from campaigns
join media_spend on media_spend.campaign_key = campaigns.campaign_key
where campaigns.strategy is null
group by all
order by spend desc, campaigns.campaign_id
limit 20
