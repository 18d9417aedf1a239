-- Search ads report on places -> one row per vendor row.
-- Grain: campaign x ad group x state x city x day, broken down by the meaning of the place (where people are, or what
-- they are interested in) and country: both are in the row's resource name, which goes into `_segment` with any other
-- segment. The two meanings share no impression, so they add up. Places stay resource names. Millionths become units
-- of the account's currency.
-- Follows [V0.5], [V2.3] (without any figures the cost is missing, not 0).

with

place_days as (

    select
        file_no,
        position,
        fields,
        has_cost,
        from_json("row", '{
            "campaign": {
                "resourceName": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR", "status": "VARCHAR",
                "biddingStrategyType": "VARCHAR"
            },
            "adGroup": {"resourceName": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR"},
            "geographicView": {
                "resourceName": "VARCHAR", "locationType": "VARCHAR", "countryCriterionId": "VARCHAR"
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
    coalesce(parsed.campaign.id, resource_id(parsed.campaign.resourceName, 'campaigns')) as campaign_id,
    parsed.campaign.name as campaign_name,
    parsed.segments ->> '$.geoTargetState' as geo_target_state,
    parsed.segments ->> '$.geoTargetCity' as geo_target_city,
    parsed.campaign.status as status,
    coalesce(parsed.adGroup.id, resource_id(parsed.adGroup.resourceName, 'adGroups')) as ad_group_id,
    parsed.adGroup.name as ad_group_name,
    parsed.campaign.biddingStrategyType as bidding_strategy_type,
    parsed.segments ->> '$.date' as date,
    metric_or_zero(parsed.metrics.impressions, 'impressions', fields, parsed.metrics) as impressions,
    coalesce(micros(parsed.metrics.costMicros), if(has_cost, metric_or_zero(null, 'costMicros', fields, parsed.metrics), null)) as cost,
    metric_or_zero(parsed.metrics.clicks, 'clicks', fields, parsed.metrics) as clicks,
    metric_or_zero(parsed.metrics.conversions, 'conversions', fields, parsed.metrics) as conversions,
    metric_or_zero(parsed.metrics.conversionsValue, 'conversionsValue', fields, parsed.metrics) as conversions_value,
    metric_or_zero(parsed.metrics.allConversions, 'allConversions', fields, parsed.metrics) as all_conversions,
    metric_or_zero(parsed.metrics.allConversionsValue, 'allConversionsValue', fields, parsed.metrics)
        as all_conversions_value,
    concat_ws(
        ' ',
        coalesce(
            resource_id(parsed.geographicView.resourceName, 'geographicViews'),
            nullif(concat_ws('~', parsed.geographicView.countryCriterionId, parsed.geographicView.locationType), '')
        ),
        sorted_text(segments_beyond(parsed.segments, '{"geoTargetState": null, "geoTargetCity": null}'))
    ) as _segment
from place_days
