-- Web analytics report on visitors -> one row per vendor row.
-- Grain: day x campaign x source x place x device. Shares stay fractions, 0-1, as the vendor has them.
-- Values come by position, under headers that stand beside the rows; other dimensions of the report go into
-- `_segment`. Totals, maximums and minimums of a report are no rows of it.
-- A report of several date ranges has a row for each day in each range, 0 where the day lies outside; which range a
-- day belongs to it does not say, so that its zeros cannot be told from true ones: its rows are refused.
-- Follows [formats 3.1]: `(not set)` and the like are values; older names of fields are taken too.

with

headers as (

    select
        file_no,
        report,
        from_json(max(context) filter (where key = 'dimensionHeaders'), '[{"name": "VARCHAR"}]') as dimension_headers,
        from_json(max(context) filter (where key = 'metricHeaders'), '[{"name": "VARCHAR"}]') as metric_headers
    from vendor_contexts
    where json_valid(context)
    group by all

),

named as (

    select
        file_no,
        report,
        list_transform(dimension_headers, lambda h: h.name) as dimensions,
        list_transform(metric_headers, lambda h: h.name) as metrics
    from headers

),

reports as (

    select
        *,
        {
            campaign_id: coalesce(
                list_position(dimensions, 'sessionCampaignId'), list_position(dimensions, 'campaignId')
            ),
            campaign_name: coalesce(
                list_position(dimensions, 'sessionCampaignName'), list_position(dimensions, 'campaignName')
            ),
            city: list_position(dimensions, 'city'),
            country: list_position(dimensions, 'country'),
            region: list_position(dimensions, 'region'),
            searchads_campaign_id: coalesce(
                list_position(dimensions, 'sessionGoogleAdsCampaignId'),
                list_position(dimensions, 'googleAdsCampaignId')
            ),
            source_medium: coalesce(
                list_position(dimensions, 'sessionSourceMedium'), list_position(dimensions, 'sourceMedium')
            ),
            device_category: list_position(dimensions, 'deviceCategory'),
            date: list_position(dimensions, 'date')
        } as dimension_at,
        {
            active_users: list_position(metrics, 'activeUsers'),
            engaged_sessions: list_position(metrics, 'engagedSessions'),
            bounce_rate: list_position(metrics, 'bounceRate'),
            sessions_per_user: list_position(metrics, 'sessionsPerUser'),
            total_users: list_position(metrics, 'totalUsers'),
            sessions: list_position(metrics, 'sessions'),
            purchaser_rate: list_position(metrics, 'purchaserRate'),
            purchase_revenue: list_position(metrics, 'purchaseRevenue'),
            total_purchases: coalesce(
                list_position(metrics, 'ecommercePurchases'), list_position(metrics, 'transactions')
            ),
            total_revenue: list_position(metrics, 'totalRevenue')
        } as metric_at
    from named

),

reports_with_further as (

    select
        *,
        list_filter(
            range(1, len(dimensions) + 1),
            lambda i: not list_contains(
                [
                    dimension_at.campaign_id, dimension_at.campaign_name, dimension_at.city,
                    dimension_at.country, dimension_at.region, dimension_at.searchads_campaign_id,
                    dimension_at.source_medium, dimension_at.device_category, dimension_at.date
                ],
                i
            )
        ) as further
    from reports

),

raw_values as (

    select
        file_no,
        position,
        report,
        from_json(
            "row", '{"dimensionValues": [{"value": "VARCHAR"}], "metricValues": [{"value": "VARCHAR"}]}'
        ) as found
    from vendor_rows

),

visitor_days as (

    select
        raw_values.file_no,
        raw_values.position,
        list_transform(raw_values.found.dimensionValues, lambda v: v.value) as dimension_values,
        list_transform(raw_values.found.metricValues, lambda v: v.value) as metric_values,
        reports.* exclude (file_no, report)
    from raw_values
    left join reports_with_further as reports
        on reports.file_no = raw_values.file_no and reports.report = raw_values.report

)

select
    file_no,
    position,
    dimension_values[dimension_at.campaign_id] as campaign_id,
    dimension_values[dimension_at.campaign_name] as campaign_name,
    dimension_values[dimension_at.city] as city,
    dimension_values[dimension_at.country] as country,
    dimension_values[dimension_at.region] as region,
    dimension_values[dimension_at.searchads_campaign_id] as searchads_campaign_id,
    dimension_values[dimension_at.source_medium] as source_medium,
    dimension_values[dimension_at.device_category] as device_category,
    -- A day comes as 20240131; what is none, like (other), stays and is refused.
    coalesce(
        strftime(try_strptime(dimension_values[dimension_at.date], '%Y%m%d'), '%Y-%m-%d'),
        dimension_values[dimension_at.date]
    ) as date,
    metric_values[metric_at.active_users] as active_users,
    metric_values[metric_at.engaged_sessions] as engaged_sessions,
    metric_values[metric_at.bounce_rate] as bounce_rate,
    metric_values[metric_at.sessions_per_user] as sessions_per_user,
    metric_values[metric_at.total_users] as total_users,
    metric_values[metric_at.sessions] as sessions,
    metric_values[metric_at.purchaser_rate] as purchaser_rate,
    metric_values[metric_at.purchase_revenue] as purchase_revenue,
    metric_values[metric_at.total_purchases] as total_purchases,
    metric_values[metric_at.total_revenue] as total_revenue,
    array_to_string(
        list_transform(further, lambda i: dimensions[i] || '=' || coalesce(dimension_values[i], '')), '&'
    ) as _segment,
    case
        when dimensions is null or metrics is null
            then 'dimensionHeaders, metricHeaders: missing, so nothing names the values'
        when len(coalesce(dimension_values, [])) <> len(dimensions)
            then len(coalesce(dimension_values, [])) || ' dimensionValues under ' || len(dimensions) || ' headers'
        when len(coalesce(metric_values, [])) <> len(metrics)
            then len(coalesce(metric_values, [])) || ' metricValues under ' || len(metrics) || ' headers'
        when list_has_any(dimensions, ['dateRange', 'comparison'])
            then 'a report of several date ranges or comparisons repeats its days: one range, no comparison is expected'
    end as _reject
from visitor_days
