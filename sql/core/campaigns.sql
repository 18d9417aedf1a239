-- Campaigns of all ad accounts, with the name in the latest record and the class that the rules assign [D13].
-- Grain: one row per connector and campaign key. `strategy` is null when no rule matches.
-- Key: connector, campaign_key
-- Kept for: analyses
-- Order: connector, campaign_key

with

latest_records as (

    select *
    from ad_records
    qualify row_number() over (
        partition by connector, campaign_key
        order by last_on desc, first_on desc, inserted_at desc, _landing_order desc, document_id desc
    ) = 1

),

classed as (

    select
        latest_records.connector,
        latest_records.campaign_key,
        arg_min(campaign_rules.strategy, campaign_rules.position) as strategy
    from latest_records
    join campaign_rules
        on is_matched_by(campaign_rules.matches, campaign_rules.pattern, latest_records.campaign_key, latest_records.name_key)
    group by all

)

select
    latest_records.connector,
    latest_records.campaign_key,
    latest_records.campaign_id,
    latest_records.campaign_name,
    classed.strategy
from latest_records
left join classed
    on classed.connector = latest_records.connector and classed.campaign_key = latest_records.campaign_key
