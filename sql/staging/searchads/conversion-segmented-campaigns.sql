-- Search ads report on campaigns by conversion category -> one row per vendor row.
-- Grain: campaign x category x day, broken down further if the report was segmented (by conversion action, device…):
-- `_segment` distinguishes such rows. Follows [V0.5], [V2.4].

with

conversion_days as (

    select
        file_no,
        position,
        fields,
        list_filter(
            json_keys("row"),
            lambda k: starts_with(k, 'adGroup') or starts_with(k, 'asset') or ends_with(k, 'View')
        ) as parts_of_campaign,
        from_json("row", '{
            "campaign": {"resourceName": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR"},
            "metrics": {
                "conversions": "VARCHAR", "conversionsValue": "VARCHAR"
            },
            "segments": "JSON"
        }') as parsed
    from searchads_rows()

)

select
    file_no,
    position,
    parsed.campaign.resourceName as campaign_resource_name,
    parsed.campaign.name as campaign_name,
    coalesce(parsed.campaign.id, resource_id(parsed.campaign.resourceName, 'campaigns')) as campaign_id,
    parsed.segments ->> '$.conversionActionCategory' as segments_conversion_action_category,
    metric_or_zero(parsed.metrics.conversionsValue, 'conversionsValue', fields, parsed.metrics)
        as metrics_conversions_value,
    metric_or_zero(parsed.metrics.conversions, 'conversions', fields, parsed.metrics) as metrics_conversions,
    parsed.segments ->> '$.date' as segments_date,
    sorted_text(segments_beyond(parsed.segments, '{"conversionActionCategory": null}')) as _segment,
    case
        when len(parts_of_campaign) > 0
            then parts_of_campaign[1] || ': a report below campaign level leaves out the rest of the campaign'
    end as _reject
from conversion_days
