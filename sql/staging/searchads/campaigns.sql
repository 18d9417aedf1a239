-- Search ads report on campaigns -> one row per vendor row.
-- Grain: campaign x day, broken down further if the report was segmented (by hour, device, network…): `_segment`
-- distinguishes such rows. Millionths become units of the account's currency.
-- A report on ad groups, keywords or places is rejected: campaigns without those would be missing from the spend
-- [D10], [V2.1].
-- Follows [D11], [V0.5] (a figure of 0 may be left out; without any figures the cost is missing, not 0).

with

campaign_days as (

    select
        file_no,
        position,
        fields,
        has_cost,
        list_filter(
            json_keys("row"),
            lambda k: starts_with(k, 'adGroup') or starts_with(k, 'asset') or ends_with(k, 'View')
        ) as parts_of_campaign,
        from_json("row", '{
            "campaign": {
                "resourceName": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR", "status": "VARCHAR",
                "advertisingChannelType": "VARCHAR", "biddingStrategyType": "VARCHAR"
            },
            "metrics": {
                "impressions": "VARCHAR", "clicks": "VARCHAR", "costMicros": "VARCHAR", "conversions": "VARCHAR",
                "conversionsValue": "VARCHAR", "allConversions": "VARCHAR", "allConversionsValue": "VARCHAR"
            },
            "segments": "JSON"
        }') as parsed
    from searchads_rows()

)

select
    file_no,
    position,
    parsed.segments ->> '$.date' as date,
    coalesce(parsed.campaign.id, resource_id(parsed.campaign.resourceName, 'campaigns')) as campaign_id,
    parsed.campaign.name as campaign_name,
    parsed.campaign.status as campaign_status,
    parsed.campaign.advertisingChannelType as advertising_channel_type,
    parsed.campaign.biddingStrategyType as bidding_strategy_type,
    metric_or_zero(parsed.metrics.impressions, 'impressions', fields, parsed.metrics) as impressions,
    metric_or_zero(parsed.metrics.clicks, 'clicks', fields, parsed.metrics) as clicks,
    coalesce(micros(parsed.metrics.costMicros), if(has_cost, metric_or_zero(null, 'costMicros', fields, parsed.metrics), null)) as cost,
    metric_or_zero(parsed.metrics.conversions, 'conversions', fields, parsed.metrics) as conversions,
    metric_or_zero(parsed.metrics.conversionsValue, 'conversionsValue', fields, parsed.metrics) as conversions_value,
    metric_or_zero(parsed.metrics.allConversions, 'allConversions', fields, parsed.metrics) as all_conversions,
    metric_or_zero(parsed.metrics.allConversionsValue, 'allConversionsValue', fields, parsed.metrics)
        as all_conversions_value,
    sorted_text(segments_beyond(parsed.segments, '{}')) as _segment,
    case
        when len(parts_of_campaign) > 0
            then parts_of_campaign[1] || ': a report below campaign level leaves out the rest of the campaign'
    end as _reject
from campaign_days
