-- Campaign records of every ad platform: the money spent is theirs alone. Other reports break the same money down
-- and are never added [D10].
-- Grain: one row per integration, campaign and span of days. A campaign is its `connector` and
-- `campaign_key`: one id in two ad networks is two campaigns [D13].

with

platforms as (

    select
        integration_id,
        'socialads' as connector,
        document_id,
        campaign_id,
        campaign_name,
        date_start as first_on,
        -- A missing last day is the first; one before it would lose the money.
        greatest(coalesce(date_stop, date_start), date_start) as last_on,
        spend,
        impressions,
        clicks,
        inserted_at,
        _landing_order
    from staging.socialads_campaigns

    union all

    select
        integration_id,
        'searchads',
        document_id,
        campaign_id,
        campaign_name,
        date,
        date,
        cost,
        impressions,
        clicks,
        inserted_at,
        _landing_order
    from staging.searchads_campaigns

)

select
    *,
    coalesce(normalized(campaign_id), campaign_id) as campaign_key,
    normalized(campaign_name) as name_key,
    last_on - first_on + 1 as days
from platforms
order by first_on, document_id
