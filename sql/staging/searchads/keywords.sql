-- Search ads report on ads by keyword, or on keywords only -> one row per vendor row.
-- Grain: keyword in its ad group x ad x day, broken down further if the report was segmented (by device, network…):
-- `_segment` distinguishes such rows. Millionths become units of the account's currency.
-- The report by ad has the keyword as a segment; the one by keyword has it as a resource, and no ad.
-- Follows [V0.5], [V2.2] (without any figures the cost is missing, not 0).

with

keyword_days as (

    select
        file_no,
        position,
        fields,
        has_cost,
        from_json("row", '{
            "campaign": {
                "resourceName": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR", "biddingStrategyType": "VARCHAR",
                "campaignGroup": "VARCHAR"
            },
            "adGroup": {
                "resourceName": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR", "status": "VARCHAR",
                "type": "VARCHAR", "campaign": "VARCHAR"
            },
            "adGroupAd": {"ad": {"id": "VARCHAR"}},
            "adGroupCriterion": {
                "resourceName": "VARCHAR", "criterionId": "VARCHAR",
                "keyword": {"text": "VARCHAR", "matchType": "VARCHAR"}
            },
            "customer": {"id": "VARCHAR"},
            "keywordView": {"resourceName": "VARCHAR"},
            "metrics": {
                "impressions": "VARCHAR", "clicks": "VARCHAR", "costMicros": "VARCHAR", "conversions": "VARCHAR",
                "conversionsValue": "VARCHAR", "allConversions": "VARCHAR"
            },
            "segments": "JSON"
        }') as parsed
    from searchads_rows()

)

select
    file_no,
    position,
    parsed.segments ->> '$.date' as date,
    coalesce(parsed.segments ->> '$.keyword.info.text', parsed.adGroupCriterion.keyword.text) as keyword_text,
    coalesce(parsed.segments ->> '$.keyword.info.matchType', parsed.adGroupCriterion.keyword.matchType)
        as keyword_match_type,
    coalesce(
        parsed.segments ->> '$.keyword.adGroupCriterion',
        parsed.adGroupCriterion.resourceName,
        replace(parsed.keywordView.resourceName, '/keywordViews/', '/adGroupCriteria/'),
        -- Reports of tools may have its parts only.
        'customers/' || parsed.customer.id || '/adGroupCriteria/' || parsed.adGroup.id || '~'
            || parsed.adGroupCriterion.criterionId
    ) as ad_group_criterion,
    parsed.adGroup.type as ad_group_type,
    parsed.adGroup.status as ad_group_status,
    parsed.adGroup.name as ad_group_name,
    coalesce(parsed.adGroup.id, resource_id(parsed.adGroup.resourceName, 'adGroups')) as ad_group_id,
    parsed.adGroupAd.ad.id as ad_id,
    coalesce(parsed.adGroup.campaign, parsed.campaign.resourceName) as ad_group_campaign,
    parsed.campaign.biddingStrategyType as campaign_bidding_strategy_type,
    coalesce(parsed.campaign.id, resource_id(parsed.campaign.resourceName, 'campaigns')) as campaign_id,
    parsed.campaign.name as campaign_name,
    parsed.campaign.campaignGroup as campaign_group,
    metric_or_zero(parsed.metrics.impressions, 'impressions', fields, parsed.metrics) as impressions,
    metric_or_zero(parsed.metrics.clicks, 'clicks', fields, parsed.metrics) as clicks,
    coalesce(micros(parsed.metrics.costMicros), if(has_cost, metric_or_zero(null, 'costMicros', fields, parsed.metrics), null)) as cost,
    metric_or_zero(parsed.metrics.conversions, 'conversions', fields, parsed.metrics) as conversions,
    metric_or_zero(parsed.metrics.conversionsValue, 'conversionsValue', fields, parsed.metrics) as conversions_value,
    metric_or_zero(parsed.metrics.allConversions, 'allConversions', fields, parsed.metrics) as all_conversions,
    sorted_text(segments_beyond(parsed.segments, '{"keyword": null}')) as _segment
from keyword_days
