-- Social ads insights by platform -> one row per vendor row.
-- Grain: ad x (date_start, date_stop) x publisher_platform x platform_position; a third breakdown goes into
-- `_segment`, so that its rows are not taken for versions of each other. The row of a plain table has the same names.
-- Follows [D10] (a missing date_stop is date_start), [D22], [V1.3].

with

insights as (

    select
        file_no,
        position,
        from_json("row", '{
            "adset_id": "VARCHAR", "ad_id": "VARCHAR", "objective": "VARCHAR", "publisher_platform": "VARCHAR",
            "platform_position": "VARCHAR", "clicks": "VARCHAR", "reach": "VARCHAR", "impressions": "VARCHAR",
            "spend": "VARCHAR", "full_view_reach": "VARCHAR", "date_start": "VARCHAR", "date_stop": "VARCHAR",
            "insights": "JSON", "age": "VARCHAR", "gender": "VARCHAR", "country": "VARCHAR", "region": "VARCHAR",
            "dma": "VARCHAR", "impression_device": "VARCHAR", "device_platform": "VARCHAR", "product_id": "VARCHAR",
            "hourly_stats_aggregated_by_advertiser_time_zone": "VARCHAR",
            "hourly_stats_aggregated_by_audience_time_zone": "VARCHAR"
        }') as insight
    from vendor_rows

)

select
    file_no,
    position,
    insight.adset_id,
    insight.ad_id,
    insight.objective,
    insight.publisher_platform,
    insight.platform_position,
    -- An absent list means zero [V0.5].
    coalesce(insight.clicks, '0') as clicks,
    insight.reach,
    insight.impressions,
    insight.spend,
    insight.full_view_reach,
    insight.date_start,
    coalesce(filled(insight.date_stop), insight.date_start) as date_stop,
    -- Merged into an empty object, to leave out the members that are null.
    nullif(
        json_merge_patch('{}', json_object(
            'age', insight.age,
            'gender', insight.gender,
            'country', insight.country,
            'region', insight.region,
            'dma', insight.dma,
            'impression_device', insight.impression_device,
            'device_platform', insight.device_platform,
            'product_id', insight.product_id,
            'hour', insight.hourly_stats_aggregated_by_advertiser_time_zone,
            'audience_hour', insight.hourly_stats_aggregated_by_audience_time_zone
        ))::varchar,
        '{}'
    ) as _segment,
    case
        when insight.insights is not null
            then 'insights: nested in another object; the insights themselves are expected, level=ad'
    end as _reject
from insights
