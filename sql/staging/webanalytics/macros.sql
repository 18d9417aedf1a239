-- The rows of web analytics reports, whose values are positional, under headers outside the rows [V3.4]; or the rows of
-- tools, whose values carry their names.
-- Grain: one row per vendor row. `dimension` and `metric` map the vendor's names to values; `further` distinguishes
-- rows by the dimensions that the record does not have; `refusal` is the reason why a row cannot be read, null when it
-- can. Totals, maximums and minimums of a report are not rows.
-- A report of several date ranges has a row for each day in each range, 0 if the day is outside; it does not say which
-- range a day belongs to, so these zeros look like true ones: its rows are rejected.
create macro report_rows(known_dimensions) as table
    with
    headers as (
        select
            file_no,
            report,
            list_transform(
                from_json(max(context) filter (where key = 'dimensionHeaders'), '[{"name": "VARCHAR"}]'), lambda h: coalesce(h.name, '')
            ) as dimensions,
            list_transform(
                from_json(max(context) filter (where key = 'metricHeaders'), '[{"name": "VARCHAR"}]'), lambda h: coalesce(h.name, '')
            ) as metrics
        from vendor_contexts
        where json_valid(context)
        group by all
    ),
    raw_values as (
        select
            file_no,
            position,
            report,
            from_json(
                "row", '{
                    "dimensionValues": [{"value": "VARCHAR"}], "metricValues": [{"value": "VARCHAR"}],
                    "dimensions": "JSON", "metrics": "JSON"
                }'
            ) as parsed
        from vendor_rows
    ),
    placed_values as (
        select
            raw_values.file_no,
            raw_values.position,
            coalesce(json_keys(raw_values.parsed.dimensions), headers.dimensions) as dimensions,
            coalesce(json_keys(raw_values.parsed.metrics), headers.metrics) as metrics,
            coalesce(
                raw_values.parsed.dimensions ->> '$.*',
                list_transform(raw_values.parsed.dimensionValues, lambda v: v.value),
                []
            ) as dimension_values,
            coalesce(
                raw_values.parsed.metrics ->> '$.*', list_transform(raw_values.parsed.metricValues, lambda v: v.value), []
            ) as metric_values
        from raw_values
        left join headers on headers.file_no = raw_values.file_no and headers.report = raw_values.report
    ),
    judged as (
        select
            *,
            case
                when dimensions is null or metrics is null
                    then 'dimensionHeaders, metricHeaders: missing, so nothing names the values'
                when len(dimension_values) <> len(dimensions)
                    then len(dimension_values) || ' dimensionValues under ' || len(dimensions) || ' headers'
                when len(metric_values) <> len(metrics)
                    then len(metric_values) || ' metricValues under ' || len(metrics) || ' headers'
                when len(list_distinct(dimensions)) < len(dimensions) or len(list_distinct(metrics)) < len(metrics)
                    then 'a header appears twice'
                when list_has_any(dimensions, ['dateRange', 'comparison'])
                    then 'a report of several date ranges or comparisons repeats its days: one range, no comparison is expected'
            end as refusal
        from placed_values
    ),
    -- A rejected row has no names for its values.
    mapped as (
        select
            *,
            case when refusal is null then map(dimensions, dimension_values) else map([]::varchar[], []::varchar[]) end as dimension,
            case when refusal is null then map(metrics, metric_values) else map([]::varchar[], []::varchar[]) end as metric
        from judged
    )
    select
        file_no,
        position,
        dimension,
        metric,
        -- JSON, sorted: another report may have the same dimensions in another order.
        nullif(
            '{' || array_to_string(
                list_transform(
                    list_sort(list_filter(map_entries(dimension), lambda d: not list_contains(known_dimensions, d.key))),
                    lambda d: to_json(d.key)::varchar || ':' || to_json(coalesce(d.value, ''))::varchar
                ),
                ','
            ) || '}',
            '{}'
        ) as further,
        refusal
    from mapped;

-- A day has the form 20240131 [V0.3], or is the instant of its midnight; another value, like (other), is kept and rejected.
create macro report_day(value) as
    coalesce(
        strftime(try_strptime(value, '%Y%m%d'), '%Y-%m-%d'),
        nullif(regexp_extract(value, '^([0-9-]{10})[T ]00:00(?::00(?:[.]0+)?)?(?:Z|[+]00(?::?00)?)?$', 1), ''),
        value
    );
