-- Web analytics report on items -> one row per vendor row.
-- Grain: day x item; an item under two names is two rows, told apart by `_segment`.
-- Values come by position, under headers that stand beside the rows; other dimensions of the report go into
-- `_segment`. Totals, maximums and minimums of a report are no rows of it.
-- A report of several date ranges has a row for each day in each range, 0 where the day lies outside; which range a
-- day belongs to it does not say, so that its zeros cannot be told from true ones: its rows are refused.
-- Follows [formats 3.3]: `itemPurchaseQuantity` is the older name of units bought.

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
            date: list_position(dimensions, 'date'),
            item_id: list_position(dimensions, 'itemId'),
            item_name: list_position(dimensions, 'itemName')
        } as dimension_at,
        {
            items_viewed: list_position(metrics, 'itemsViewed'),
            items_added_to_cart: list_position(metrics, 'itemsAddedToCart'),
            items_checked_out: list_position(metrics, 'itemsCheckedOut'),
            items_purchased: coalesce(
                list_position(metrics, 'itemsPurchased'), list_position(metrics, 'itemPurchaseQuantity')
            ),
            item_revenue: list_position(metrics, 'itemRevenue')
        } as metric_at
    from named

),

reports_with_further as (

    select
        *,
        list_filter(
            range(1, len(dimensions) + 1),
            lambda i: not list_contains(
                [dimension_at.date, dimension_at.item_id],
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

item_days as (

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
    -- A day comes as 20240131; what is none, like (other), stays and is refused.
    coalesce(
        strftime(try_strptime(dimension_values[dimension_at.date], '%Y%m%d'), '%Y-%m-%d'),
        dimension_values[dimension_at.date]
    ) as date,
    dimension_values[dimension_at.item_id] as item_id,
    dimension_values[dimension_at.item_name] as item_name,
    metric_values[metric_at.items_viewed] as items_viewed,
    metric_values[metric_at.items_added_to_cart] as items_added_to_cart,
    metric_values[metric_at.items_checked_out] as items_checked_out,
    metric_values[metric_at.items_purchased] as items_purchased,
    metric_values[metric_at.item_revenue] as item_revenue,
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
from item_days
