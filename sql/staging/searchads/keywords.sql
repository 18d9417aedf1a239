-- Search ads report on ads by keyword, or on keywords only -> one row per vendor row.
-- Grain: keyword in its ad group x ad x day, broken down further if the report was segmented (by device, network…):
-- `_segment` distinguishes such rows. Millionths become units of the account's currency.
-- The report by ad has the keyword as a segment; the one by keyword has it as a resource, and no ad.
-- Follows [V0.5], [V2.2] (without any figures the cost is missing, not 0).

with

field_masks as (

    -- The fields that the report asked for: a missing figure is 0 if it is one of them, otherwise unknown. A tool's row
    -- says it itself.
    select file_no, report, string_split(camel(max(context ->> '$')), ',') as fields
    from vendor_contexts
    where key in ('fieldMask', 'field_mask') and json_valid(context)
    group by all

),

files_with_cost as (

    -- Whatever a report asked for: if no row of a file has the cost, it may be there under another name.
    select distinct file_no from vendor_rows where regexp_matches("row", '"costMicros"\s*:\s*[^n\s]')

),

keyword_days as (

    select
        vendor_rows.file_no,
        vendor_rows.position,
        coalesce(field_masks.fields, string_split(camel(vendor_rows."row" ->> '$.fieldMask'), ',')) as fields,
        vendor_rows.file_no in (from files_with_cost) and not json_exists(vendor_rows."row", '$.metrics.cost') as has_cost,
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
    from vendor_rows
    left join field_masks
        on field_masks.file_no = vendor_rows.file_no and field_masks.report = vendor_rows.report

),

keyword_days_with_fields as (

    select
        *,
        case
            when parsed.metrics is null then []
            else coalesce(fields, [
                'metrics.impressions', 'metrics.clicks', 'metrics.costMicros', 'metrics.conversions',
                'metrics.conversionsValue', 'metrics.allConversions'
            ])
        end as requested_fields,
        -- Segments that break the row down further than its grain; parts of the date do not.
        nullif(
            json_merge_patch(coalesce(parsed.segments, '{}'), '{
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
    coalesce(parsed.adGroup.id, split_part(parsed.adGroup.resourceName, '/adGroups/', 2)) as ad_group_id,
    parsed.adGroupAd.ad.id as ad_id,
    coalesce(parsed.adGroup.campaign, parsed.campaign.resourceName) as ad_group_campaign,
    parsed.campaign.biddingStrategyType as campaign_bidding_strategy_type,
    coalesce(parsed.campaign.id, split_part(parsed.campaign.resourceName, '/campaigns/', 2)) as campaign_id,
    parsed.campaign.name as campaign_name,
    parsed.campaign.campaignGroup as campaign_group,
    coalesce(parsed.metrics.impressions, if('metrics.impressions' in requested_fields, '0', null)) as impressions,
    coalesce(parsed.metrics.clicks, if('metrics.clicks' in requested_fields, '0', null)) as clicks,
    coalesce(micros(parsed.metrics.costMicros), if('metrics.costMicros' in requested_fields and has_cost, '0', null)) as cost,
    coalesce(parsed.metrics.conversions, if('metrics.conversions' in requested_fields, '0', null)) as conversions,
    coalesce(parsed.metrics.conversionsValue, if('metrics.conversionsValue' in requested_fields, '0', null)) as conversions_value,
    coalesce(parsed.metrics.allConversions, if('metrics.allConversions' in requested_fields, '0', null)) as all_conversions,
    sorted_text(further_segments) as _segment
from keyword_days_with_fields
