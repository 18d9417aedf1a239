-- Search ads report on campaigns -> one row per vendor row.
-- Grain: campaign x day, broken down further if the report was segmented (by hour, device, network…): `_segment`
-- distinguishes such rows. Millionths become units of the account's currency.
-- A report on ad groups, keywords or places is rejected: campaigns without those would be missing from the spend
-- [D10], [V2.1].
-- Follows [D11], [V0.5] (a figure of 0 may be left out; without any figures the cost is missing, not 0).

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

campaign_days as (

    select
        vendor_rows.file_no,
        vendor_rows.position,
        coalesce(field_masks.fields, string_split(camel(vendor_rows."row" ->> '$.fieldMask'), ',')) as fields,
        list_filter(
            json_keys(vendor_rows."row"),
            lambda k: starts_with(k, 'adGroup') or starts_with(k, 'asset') or ends_with(k, 'View')
        ) as parts_of_campaign,
        vendor_rows.file_no in (from files_with_cost) and not json_exists(vendor_rows."row", '$.metrics.cost') as has_cost,
        from_json(vendor_rows."row", '{
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
    from vendor_rows
    left join field_masks
        on field_masks.file_no = vendor_rows.file_no and field_masks.report = vendor_rows.report

),

campaign_days_with_fields as (

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
                "dayOfWeek": null, "monthOfYear": null
            }')::varchar,
            '{}'
        ) as further_segments
    from campaign_days

)

select
    file_no,
    position,
    parsed.segments ->> '$.date' as date,
    coalesce(parsed.campaign.id, split_part(parsed.campaign.resourceName, '/campaigns/', 2)) as campaign_id,
    parsed.campaign.name as campaign_name,
    parsed.campaign.status as campaign_status,
    parsed.campaign.advertisingChannelType as advertising_channel_type,
    parsed.campaign.biddingStrategyType as bidding_strategy_type,
    coalesce(parsed.metrics.impressions, if('metrics.impressions' in requested_fields, '0', null)) as impressions,
    coalesce(parsed.metrics.clicks, if('metrics.clicks' in requested_fields, '0', null)) as clicks,
    coalesce(micros(parsed.metrics.costMicros), if('metrics.costMicros' in requested_fields and has_cost, '0', null)) as cost,
    coalesce(parsed.metrics.conversions, if('metrics.conversions' in requested_fields, '0', null)) as conversions,
    coalesce(parsed.metrics.conversionsValue, if('metrics.conversionsValue' in requested_fields, '0', null)) as conversions_value,
    coalesce(parsed.metrics.allConversions, if('metrics.allConversions' in requested_fields, '0', null)) as all_conversions,
    coalesce(parsed.metrics.allConversionsValue, if('metrics.allConversionsValue' in requested_fields, '0', null))
        as all_conversions_value,
    sorted_text(further_segments) as _segment,
    case
        when len(parts_of_campaign) > 0
            then parts_of_campaign[1] || ': a report below campaign level leaves out the rest of the campaign'
    end as _reject
from campaign_days_with_fields
