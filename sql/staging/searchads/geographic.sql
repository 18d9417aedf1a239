-- Search ads report on places -> one row per vendor row.
-- Grain: campaign x ad group x state x city x day, broken down by the meaning of the place (where people are, or what
-- they are interested in) and country: both are in the row's resource name, which goes into `_segment` with any other
-- segment. The two meanings share no impression, so they add up. Places stay resource names. Millionths become units
-- of the account's currency.
-- Follows [V0.5], [V2.3] (without any figures the cost is missing, not 0).

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

place_days as (

    select
        vendor_rows.file_no,
        vendor_rows.position,
        coalesce(field_masks.fields, string_split(camel(vendor_rows."row" ->> '$.fieldMask'), ',')) as fields,
        vendor_rows.file_no in (from files_with_cost) and not json_exists(vendor_rows."row", '$.metrics.cost') as has_cost,
        from_json(vendor_rows."row", '{
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
    from vendor_rows
    left join field_masks
        on field_masks.file_no = vendor_rows.file_no and field_masks.report = vendor_rows.report

),

place_days_with_fields as (

    select
        *,
        case
            when parsed.metrics is null then []
            else coalesce(fields, [
                'metrics.impressions', 'metrics.clicks', 'metrics.costMicros', 'metrics.conversions',
                'metrics.conversionsValue', 'metrics.allConversions', 'metrics.allConversionsValue'
            ])
        end as requested_fields,
        -- Segments that break the row down further than its grain; parts of the date do not.
        nullif(
            json_merge_patch(coalesce(parsed.segments, '{}'), '{
                "date": null, "week": null, "month": null, "quarter": null, "year": null,
                "dayOfWeek": null, "monthOfYear": null,
                "geoTargetState": null, "geoTargetCity": null
            }')::varchar,
            '{}'
        ) as further_segments
    from place_days

)

select
    file_no,
    position,
    coalesce(parsed.campaign.id, split_part(parsed.campaign.resourceName, '/campaigns/', 2)) as campaign_id,
    parsed.campaign.name as campaign_name,
    parsed.segments ->> '$.geoTargetState' as geo_target_state,
    parsed.segments ->> '$.geoTargetCity' as geo_target_city,
    parsed.campaign.status as status,
    coalesce(parsed.adGroup.id, split_part(parsed.adGroup.resourceName, '/adGroups/', 2)) as ad_group_id,
    parsed.adGroup.name as ad_group_name,
    parsed.campaign.biddingStrategyType as bidding_strategy_type,
    parsed.segments ->> '$.date' as date,
    coalesce(parsed.metrics.impressions, if('metrics.impressions' in requested_fields, '0', null)) as impressions,
    coalesce(micros(parsed.metrics.costMicros), if('metrics.costMicros' in requested_fields and has_cost, '0', null)) as cost,
    coalesce(parsed.metrics.clicks, if('metrics.clicks' in requested_fields, '0', null)) as clicks,
    coalesce(parsed.metrics.conversions, if('metrics.conversions' in requested_fields, '0', null)) as conversions,
    coalesce(parsed.metrics.conversionsValue, if('metrics.conversionsValue' in requested_fields, '0', null)) as conversions_value,
    coalesce(parsed.metrics.allConversions, if('metrics.allConversions' in requested_fields, '0', null)) as all_conversions,
    coalesce(parsed.metrics.allConversionsValue, if('metrics.allConversionsValue' in requested_fields, '0', null))
        as all_conversions_value,
    concat_ws(
        ' ',
        coalesce(
            split_part(parsed.geographicView.resourceName, '/geographicViews/', 2),
            nullif(concat_ws('~', parsed.geographicView.countryCriterionId, parsed.geographicView.locationType), '')
        ),
        sorted_text(further_segments)
    ) as _segment
from place_days_with_fields
