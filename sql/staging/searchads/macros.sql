-- Macros of the mappings of search ads. They are loaded next to the rows of the files that land.

-- The rows of a search ads report, with the fields that it asked for: those of its mask, or of the row that a tool wrote.
-- `has_cost`: whether the cost may be missing because it is 0. If no row of the file has it, it may be there under another
-- name.
create macro searchads_rows() as table
    with masks as (

        select file_no, report, string_split(camel(max(context ->> '$')), ',') as fields
        from vendor_contexts
        where key in ('fieldMask', 'field_mask') and json_valid(context)
        group by all

    ),

    files_with_cost as (

        select distinct file_no from vendor_rows where regexp_matches("row", '"costMicros"\s*:\s*[^n\s]')

    )

    select
        vendor_rows.file_no,
        vendor_rows.position,
        vendor_rows."row",
        coalesce(masks.fields, string_split(camel(vendor_rows."row" ->> '$.fieldMask'), ',')) as fields,
        vendor_rows.file_no in (from files_with_cost) and not json_exists(vendor_rows."row", '$.metrics.cost') as has_cost
    from vendor_rows
    left join masks on masks.file_no = vendor_rows.file_no and masks.report = vendor_rows.report;

-- A metric of such a report [V0.5]: one that it asked for and that is not in the row is 0, otherwise unknown. Without a mask
-- it asked for all; a row without any metrics says nothing.
create macro metric_or_zero(value, name, fields, metrics) as
    coalesce(value, if(metrics is not null and (fields is null or list_contains(fields, 'metrics.' || name)), '0', null));

-- Segments that break such a row down further than its grain, as an object; null without any. `own`: an object with the
-- segments of the grain, each null. Parts of the date do not break it down.
create macro segments_beyond(segments, own) as
    nullif(
        json_merge_patch(
            json_merge_patch(coalesce(segments, '{}'), '{
                "date": null, "week": null, "month": null, "quarter": null, "year": null,
                "dayOfWeek": null, "monthOfYear": null
            }'),
            own
        )::varchar,
        '{}'
    );

-- The id in a resource name, `customers/1/campaigns/2`.
create macro resource_id(resource_name, collection) as split_part(resource_name, '/' || collection || '/', 2);
