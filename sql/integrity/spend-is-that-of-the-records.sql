-- Where no record of a campaign overlaps another, the spend of its days equals that of its records, to the millionth;
-- where some do, it does not exceed it [D10]. The same holds for impressions and clicks.

with

records as (

    select 'socialads' as connector, campaign_id, date_start as first_on, greatest(coalesce(date_stop, date_start), date_start) as last_on,
        spend, impressions, clicks, document_id
    from read_parquet(getvariable('marts') || '/socialads_campaigns.parquet')

    union all

    select 'searchads', campaign_id, date, date, cost, impressions, clicks, document_id
    from read_parquet(getvariable('marts') || '/searchads_campaigns.parquet')

),

overlapping as (

    select distinct a.connector, a.campaign_id
    from records as a
    join records as b
        on b.connector = a.connector and b.campaign_id = a.campaign_id and b.document_id <> a.document_id
        and b.first_on <= a.last_on and a.first_on <= b.last_on

),

of_records as (

    select connector, campaign_id, sum(spend) as spend, sum(impressions) as impressions, sum(clicks) as clicks
    from records
    group by all

),

of_days as (

    select
        campaigns.connector,
        campaigns.campaign_id,
        sum(media_spend.spend) as spend,
        sum(media_spend.impressions) as impressions,
        sum(media_spend.clicks) as clicks
    from media_spend
    join campaigns
        on campaigns.connector = media_spend.connector and campaigns.campaign_key = media_spend.campaign_key
    group by all

)

select *, (connector, campaign_id) in (from overlapping) as overlaps
from of_records
full join of_days using (connector, campaign_id)
where of_days.spend is null
    or of_records.spend is null
    or of_days.spend > of_records.spend
    or (
        (connector, campaign_id) not in (from overlapping)
        and (
            of_days.spend <> of_records.spend
            or of_days.impressions <> of_records.impressions
            or of_days.clicks <> of_records.clicks
        )
    )
