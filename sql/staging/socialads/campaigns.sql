-- Social ads campaign insights -> one row per vendor row.
-- Grain: account x campaign x (date_start, date_stop), broken down further if the report was by ad, ad set or any
-- breakdown: `_segment` has its name and value. Rows over several days stay as they are. The row of a plain table has
-- the same names, except that `actions` is text and `website_purchase_roas` a number.
-- Follows [D10] (a missing date_stop is date_start), [D22], [V1.2].

with

insights as (

    select
        file_no,
        position,
        from_json("row", '{
            "campaign_id": "VARCHAR", "campaign_name": "VARCHAR", "objective": "VARCHAR", "account_id": "VARCHAR",
            "actions": "VARCHAR", "impressions": "VARCHAR", "reach": "VARCHAR", "frequency": "VARCHAR",
            "clicks": "VARCHAR", "ctr": "VARCHAR", "inline_link_clicks": "VARCHAR", "inline_link_click_ctr": "VARCHAR",
            "spend": "VARCHAR", "cpc": "VARCHAR", "cpm": "VARCHAR", "website_purchase_roas": "JSON",
            "date_start": "VARCHAR", "date_stop": "VARCHAR", "insights": "JSON",
            "ad_id": "VARCHAR", "adset_id": "VARCHAR", "age": "VARCHAR", "gender": "VARCHAR", "country": "VARCHAR",
            "region": "VARCHAR", "dma": "VARCHAR", "publisher_platform": "VARCHAR", "platform_position": "VARCHAR",
            "impression_device": "VARCHAR", "device_platform": "VARCHAR", "product_id": "VARCHAR",
            "hourly_stats_aggregated_by_advertiser_time_zone": "VARCHAR",
            "hourly_stats_aggregated_by_audience_time_zone": "VARCHAR", "_unknown": ["VARCHAR"]
        }') as insight
    from vendor_rows

)

select
    file_no,
    position,
    insight.campaign_id,
    insight.campaign_name,
    insight.objective,
    insight.account_id,
    insight.actions,
    insight.impressions,
    insight.reach,
    insight.frequency,
    -- An absent list means zero [V0.5], but not in a table that never has it.
    coalesce(insight.clicks, case when not coalesce('clicks' in insight._unknown, false) then '0' end) as clicks,
    insight.ctr,
    coalesce(
        insight.inline_link_clicks, case when not coalesce('inline_link_clicks' in insight._unknown, false) then '0' end
    ) as inline_link_clicks,
    insight.inline_link_click_ctr,
    insight.spend,
    insight.cpc,
    insight.cpm,
    -- A list with one figure per kind of action; the first is the purchases on the site.
    case json_type(insight.website_purchase_roas)
        when 'ARRAY' then insight.website_purchase_roas ->> '$[0].value'
        else insight.website_purchase_roas ->> '$'
    end as website_purchase_roas,
    not coalesce('website_purchase_roas' in insight._unknown, false) as _carries_source,
    insight.date_start,
    coalesce(filled(insight.date_stop), insight.date_start) as date_stop,
    -- Merged into an empty object, to leave out the members that are null.
    nullif(
        json_merge_patch('{}', json_object(
            'ad_id', filled(insight.ad_id),
            'adset_id', case when filled(insight.ad_id) is null then filled(insight.adset_id) end,
            'age', insight.age,
            'gender', insight.gender,
            'country', insight.country,
            'region', insight.region,
            'dma', insight.dma,
            'publisher_platform', insight.publisher_platform,
            'platform_position', insight.platform_position,
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
            then 'insights: nested in another object; the insights themselves are expected, level=campaign'
    end as _reject
from insights
