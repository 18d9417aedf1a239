-- The spend of each campaign on each day, and the conversions that the platform claims. The spend of a record over several
-- days is spread evenly, with the remainder on its last day. Of records that overlap, each day counts once: from the
-- shortest record, then the latest landed [D10].
-- Grain: one row per campaign (connector and key) and day. `integration_id` (the ad account), `landed_at` and `export_name` are those
-- of the record that counts.
-- Key: connector, campaign_key, spent_on
-- Kept for: analyses
-- Order: spent_on, connector, campaign_key

with

record_days as (

    select
        *,
        unnest(generate_series(0, days - 1)) as day_no
    from ad_records

),

counted_days as (

    select *, (first_on + day_no::int)::date as spent_on
    from record_days
    qualify row_number() over (
        partition by connector, campaign_key, spent_on
        order by
            days,
            inserted_at desc,
            _landing_order desc,
            document_id desc
    ) = 1

)

select
    counted_days.spent_on,
    counted_days.connector,
    counted_days.campaign_key,
    counted_days.integration_id,
    campaigns.strategy,
    day_part(spend, day_no, days) as spend,
    day_part(impressions::decimal(18, 6), day_no, days) as impressions,
    day_part(clicks::decimal(18, 6), day_no, days) as clicks,
    day_part(conversions, day_no, days) as conversions,
    day_part(conversion_value, day_no, days) as conversion_value,
    counted_days.inserted_at as landed_at,
    counted_days.export_name
from counted_days
join campaigns
    on campaigns.connector = counted_days.connector and campaigns.campaign_key = counted_days.campaign_key
