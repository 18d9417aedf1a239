-- Web analytics report on events -> one row per vendor row.
-- Grain: day x event.
-- Values come by position, under headers that stand beside the rows; other dimensions of the report go into
-- `_segment`. Totals, maximums and minimums of a report are no rows of it.
-- A report of several date ranges has a row for each day in each range, 0 where the day lies outside; which range a
-- day belongs to it does not say, so that its zeros cannot be told from true ones: its rows are refused.
-- Follows [formats 3.2]: `conversions` is the older name of key events.

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
            event_name: list_position(dimensions, 'eventName'),
            date: list_position(dimensions, 'date')
        } as dimension_at,
        {
            event_count: list_position(metrics, 'eventCount'),
            event_count_per_user: list_position(metrics, 'eventCountPerUser'),
            event_value: list_position(metrics, 'eventValue'),
            events_per_session: list_position(metrics, 'eventsPerSession'),
            key_events: coalesce(list_position(metrics, 'keyEvents'), list_position(metrics, 'conversions'))
        } as metric_at
    from named

),

reports_with_further as (

    select
        *,
        list_filter(
            range(1, len(dimensions) + 1),
            lambda i: not list_contains(
                [dimension_at.event_name, dimension_at.date],
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

event_days as (

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
    dimension_values[dimension_at.event_name] as event_name,
    -- A day comes as 20240131; what is none, like (other), stays and is refused.
    coalesce(
        strftime(try_strptime(dimension_values[dimension_at.date], '%Y%m%d'), '%Y-%m-%d'),
        dimension_values[dimension_at.date]
    ) as date,
    metric_values[metric_at.event_count] as event_count,
    metric_values[metric_at.event_count_per_user] as event_count_per_user,
    metric_values[metric_at.event_value] as event_value,
    metric_values[metric_at.events_per_session] as events_per_session,
    metric_values[metric_at.key_events] as key_events,
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
from event_days
