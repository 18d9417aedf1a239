-- Campaigns that had spend, with the class that the rules of the settings give them now, unclassified ones first [D92].
-- Grain: one row per connector and campaign key, by spend within both groups. `rule` is the number of the rule that decides [D13],
-- the first one 1; it and `strategy` are null when none matches. Parameters: none.
-- `campaign_rules` is a table of the session: core/campaign_rules for the settings in force.

with

spends as (

    select connector, campaign_key, sum(spend) as spend, min(spent_on) as first_on, max(spent_on) as last_on
    from media_spend
    group by all
    having sum(spend) > 0

),

decided as (

    select
        campaigns.connector,
        campaigns.campaign_key,
        min(campaign_rules.position) as position
    from campaigns
    join campaign_rules
        on is_matched_by(
            campaign_rules.matches, campaign_rules.pattern, campaigns.campaign_key, normalized(campaigns.campaign_name)
        )
    group by all

)

select
    campaigns.campaign_id as "campaignId",
    campaigns.campaign_name as "campaignName",
    campaigns.connector,
    money(spends.spend) as spend,
    spends.first_on as "firstDay",
    spends.last_on as "lastDay",
    campaign_rules.strategy,
    decided.position::int as rule
from campaigns
join spends
    on spends.connector = campaigns.connector and spends.campaign_key = campaigns.campaign_key
left join decided
    on decided.connector = campaigns.connector and decided.campaign_key = campaigns.campaign_key
left join campaign_rules on campaign_rules.position = decided.position
order by decided.position is not null, spends.spend desc, campaigns.campaign_key, campaigns.connector
