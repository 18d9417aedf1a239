-- The days of campaigns whose spend differs between two states of the data, under the earlier settings.
-- Grain: one row per campaign (connector and key) and day whose spend differs by a cent or more.
-- Parameters: start_date, end_date (inclusive; null for all months of either state).
-- Variables: marts_before, marts_between, marts_after.
-- Follows [D8], [D10], [D84].

with

covered as (from compared_days(getvariable('marts_before'), getvariable('marts_after'))),

before as (

    select records.*
    from spend_records(getvariable('marts_before')) as records
    join covered on records.spent_on between covered.first_on and covered.last_on

),

after as (

    select records.*
    from spend_records(getvariable('marts_between')) as records
    join covered on records.spent_on between covered.first_on and covered.last_on

),

pairs as (

    select
        connector,
        campaign_key,
        spent_on,
        coalesce(after.campaign_id, before.campaign_id) as campaign_id,
        coalesce(after.campaign_name, before.campaign_name) as campaign_name,
        rounded_sum(before.spend) as before,
        rounded_sum(after.spend) as after,
        or_zero(rounded_sum(after.spend)) - or_zero(rounded_sum(before.spend)) as change,
        after.landed_at,
        after.export_name
    from before
    full join after using (connector, campaign_key, spent_on)

)

select
    connector,
    campaign_id as "campaignId",
    spent_on as "spentOn",
    campaign_name as "campaignName",
    before::double as before,
    after::double as after,
    change::double as change,
    instant_text(landed_at) as "landedAt",
    export_name as file
from pairs
where change <> 0
order by abs(pairs.change) desc, spent_on, connector, campaign_key
