-- Search ads report on campaigns by conversion category -> one row per vendor row.
-- Grain: campaign x category x day, broken down further if the report was segmented (by conversion action, device…):
-- `_segment` distinguishes such rows. Follows [V0.5], [V2.4].

with

field_masks as (

    -- The fields that the report asked for: a missing figure is 0 if it is one of them, otherwise unknown. A tool's row
    -- says it itself.
    select file_no, report, string_split(camel(max(context ->> '$')), ',') as fields
    from vendor_contexts
    where key in ('fieldMask', 'field_mask') and json_valid(context)
    group by all

),

conversion_days as (

    select
        vendor_rows.file_no,
        vendor_rows.position,
        coalesce(field_masks.fields, string_split(camel(vendor_rows."row" ->> '$.fieldMask'), ',')) as fields,
        list_filter(
            json_keys(vendor_rows."row"),
            lambda k: starts_with(k, 'adGroup') or starts_with(k, 'asset') or ends_with(k, 'View')
        ) as parts_of_campaign,
        from_json(vendor_rows."row", '{
            "campaign": {"resourceName": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR"},
            "metrics": {
                "conversions": "VARCHAR", "conversionsValue": "VARCHAR"
            },
            "segments": "JSON"
        }') as parsed
    from vendor_rows
    left join field_masks
        on field_masks.file_no = vendor_rows.file_no and field_masks.report = vendor_rows.report

),

conversion_days_with_fields as (

    select
        *,
        case
            when parsed.metrics is null then []
            else coalesce(fields, [
                'metrics.conversions', 'metrics.conversionsValue'
            ])
        end as requested_fields,
        -- Segments that break the row down further than its grain; parts of the date do not.
        nullif(
            json_merge_patch(coalesce(parsed.segments, '{}'), '{
                "date": null, "week": null, "month": null, "quarter": null, "year": null,
                "dayOfWeek": null, "monthOfYear": null,
                "conversionActionCategory": null
            }')::varchar,
            '{}'
        ) as further_segments
    from conversion_days

)

select
    file_no,
    position,
    parsed.campaign.resourceName as campaign_resource_name,
    parsed.campaign.name as campaign_name,
    coalesce(parsed.campaign.id, split_part(parsed.campaign.resourceName, '/campaigns/', 2)) as campaign_id,
    parsed.segments ->> '$.conversionActionCategory' as segments_conversion_action_category,
    coalesce(parsed.metrics.conversionsValue, if('metrics.conversionsValue' in requested_fields, '0', null))
        as metrics_conversions_value,
    coalesce(parsed.metrics.conversions, if('metrics.conversions' in requested_fields, '0', null)) as metrics_conversions,
    parsed.segments ->> '$.date' as segments_date,
    sorted_text(further_segments) as _segment,
    case
        when len(parts_of_campaign) > 0
            then parts_of_campaign[1] || ': a report below campaign level leaves out the rest of the campaign'
    end as _reject
from conversion_days_with_fields
