-- Campaign records of every ad platform: the only source of spend. Other reports break the same spend down, so they
-- are never added [D10].
-- Grain: one row per integration, campaign and span of days. A campaign is its `connector` and `campaign_key`: one id
-- in two ad networks is two campaigns [D13]. `_landing_order` ranks records of several accounts: the later sync, then
-- the file written last, then its path [D47]. `export_name` is the name of the export in the record's folder; null for a row
-- that is joined from several.
-- Variables: ad_exports.
-- Key: document_id
-- Kept for: nothing
-- Order: first_on, document_id

with

platforms as (

    select
        integration_id,
        'socialads' as connector,
        document_id,
        campaign_id,
        campaign_name,
        date_start as first_on,
        -- A missing last day is the first day; a last day before the first would lose the spend.
        greatest(coalesce(date_stop, date_start), date_start) as last_on,
        spend,
        impressions,
        clicks,
        -- The platform reports a return on the spend, and no number of conversions. It leaves out a return of 0; that of
        -- an export that cannot carry it is unknown [D54].
        null::decimal(18, 6) as conversions,
        coalesce(
            try_cast(website_purchase_roas * spend as decimal(18, 6)), case when coalesce(carries_source, true) then 0 end
        ) as conversion_value,
        inserted_at,
        is_joined,
        _landing_order
    from staging.socialads_campaigns

    union all

    select
        integration_id,
        'searchads',
        document_id,
        campaign_id,
        campaign_name,
        date,
        date,
        cost,
        impressions,
        clicks,
        try_cast(conversions as decimal(18, 6)),
        try_cast(conversions_value as decimal(18, 6)),
        inserted_at,
        is_joined,
        _landing_order
    from staging.searchads_campaigns

),

exports as (

    select unnest(from_json(
        getvariable('ad_exports'),
        '[{
            "integration_id": "varchar",
            "landing": "integer",
            "file_no": "integer",
            "modified": "bigint",
            "path": "varchar",
            "name": "varchar"
        }]'
    ), recursive := true)

)

select
    platforms.* exclude (is_joined, _landing_order),
    {
        landing: platforms._landing_order.landing,
        modified: exports.modified,
        path: exports.path,
        position: platforms._landing_order.position
    } as _landing_order,
    case when not coalesce(is_joined, false) then exports.name end as export_name,
    coalesce(normalized(campaign_id), campaign_id) as campaign_key,
    normalized(campaign_name) as name_key,
    last_on - first_on + 1 as days
from platforms
left join exports
    on exports.integration_id = platforms.integration_id
    and exports.landing = platforms._landing_order.landing
    and exports.file_no = platforms._landing_order.file
