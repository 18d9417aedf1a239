-- Search ads report on ads by keyword, or on keywords only -> one row per vendor row.
-- Grain: keyword in its ad group x ad x day, broken down further if the report was segmented (by device, network…):
-- `_segment` distinguishes such rows. Millionths become units of the account's currency.
-- The report by ad has the keyword as a segment; the one by keyword has it as a resource, and no ad.
-- Follows [V0.5], [V2.2] (without any figures the cost is missing, not 0).

with

field_masks as (

    -- The fields that the report asked for: a missing figure is 0 if it is one of them, otherwise unknown.
    select file_no, report, string_split(max(context ->> '$'), ',') as fields
    from vendor_contexts
    where key = 'fieldMask' and json_valid(context)
    group by all

),

keyword_days as (

    select
        vendor_rows.file_no,
        vendor_rows.position,
        field_masks.fields,
        from_json(vendor_rows."row", '{
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
                "resourceName": "VARCHAR", "keyword": {"text": "VARCHAR", "matchType": "VARCHAR"}
            },
            "keywordView": {"resourceName": "VARCHAR"},
            "metrics": {
                "impressions": "VARCHAR", "clicks": "VARCHAR", "costMicros": "VARCHAR", "conversions": "VARCHAR",
                "conversionsValue": "VARCHAR", "allConversions": "VARCHAR"
            },
            "segments": "JSON"
        }') as found
    from vendor_rows
    left join field_masks
        on field_masks.file_no = vendor_rows.file_no and field_masks.report = vendor_rows.report

),

keyword_days_asked_for as (

    select
        *,
        case
            when found.metrics is null then []
            else coalesce(fields, [
                'metrics.impressions', 'metrics.clicks', 'metrics.costMicros', 'metrics.conversions',
                'metrics.conversionsValue', 'metrics.allConversions'
            ])
        end as asked,
        -- Segments that break the row down further than its grain; parts of the date do not.
        nullif(
            json_merge_patch(coalesce(found.segments, '{}'), '{
                "date": null, "week": null, "month": null, "quarter": null, "year": null,
                "dayOfWeek": null, "monthOfYear": null,
                "keyword": null
            }')::varchar,
            '{}'
        ) as further_segments
    from keyword_days

)

select
    file_no,
    position,
    found.segments ->> '$.date' as date,
    coalesce(found.segments ->> '$.keyword.info.text', found.adGroupCriterion.keyword.text) as keyword_text,
    coalesce(found.segments ->> '$.keyword.info.matchType', found.adGroupCriterion.keyword.matchType)
        as keyword_match_type,
    coalesce(
        found.segments ->> '$.keyword.adGroupCriterion',
        found.adGroupCriterion.resourceName,
        replace(found.keywordView.resourceName, '/keywordViews/', '/adGroupCriteria/')
    ) as ad_group_criterion,
    found.adGroup.type as ad_group_type,
    found.adGroup.status as ad_group_status,
    found.adGroup.name as ad_group_name,
    coalesce(found.adGroup.id, split_part(found.adGroup.resourceName, '/adGroups/', 2)) as ad_group_id,
    found.adGroupAd.ad.id as ad_id,
    coalesce(found.adGroup.campaign, found.campaign.resourceName) as ad_group_campaign,
    found.campaign.biddingStrategyType as campaign_bidding_strategy_type,
    coalesce(found.campaign.id, split_part(found.campaign.resourceName, '/campaigns/', 2)) as campaign_id,
    found.campaign.name as campaign_name,
    found.campaign.campaignGroup as campaign_group,
    coalesce(found.metrics.impressions, if('metrics.impressions' in asked, '0', null)) as impressions,
    coalesce(found.metrics.clicks, if('metrics.clicks' in asked, '0', null)) as clicks,
    coalesce(micros(found.metrics.costMicros), if('metrics.costMicros' in asked, '0', null)) as cost,
    coalesce(found.metrics.conversions, if('metrics.conversions' in asked, '0', null)) as conversions,
    coalesce(found.metrics.conversionsValue, if('metrics.conversionsValue' in asked, '0', null)) as conversions_value,
    coalesce(found.metrics.allConversions, if('metrics.allConversions' in asked, '0', null)) as all_conversions,
    further_segments as _segment
from keyword_days_asked_for
