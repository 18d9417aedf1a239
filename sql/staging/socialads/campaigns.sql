-- Social ads campaign insights -> one row per vendor row.
-- Grain: account x campaign x (date_start, date_stop), broken down by ad where the report was made at that level.
-- A plain table's row has the same names, but for `actions` as text and `website_purchase_roas` as a number.
-- Follows [D10] (a missing date_stop is date_start), [D22].

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
            "date_start": "VARCHAR", "date_stop": "VARCHAR", "ad_id": "VARCHAR", "adset_id": "VARCHAR"
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
    -- Absent means that there were none [formats 0.5].
    coalesce(insight.clicks, '0') as clicks,
    insight.ctr,
    coalesce(insight.inline_link_clicks, '0') as inline_link_clicks,
    insight.inline_link_click_ctr,
    insight.spend,
    insight.cpc,
    insight.cpm,
    case json_type(insight.website_purchase_roas)
        when 'ARRAY' then insight.website_purchase_roas ->> '$[0].value'
        else insight.website_purchase_roas ->> '$'
    end as website_purchase_roas,
    insight.date_start,
    coalesce(filled(insight.date_stop), insight.date_start) as date_stop,
    coalesce(insight.ad_id, insight.adset_id, '') as _segment
from insights
