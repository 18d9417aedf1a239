-- What the orders of a period brought, by one attribute of them, or by two.
-- Grain: one row per value with an order in the period or in the one compared with. Revenue, discounts and contributions of all rows
-- add up to those of the total.
-- Parameters: start_date, end_date (inclusive; null for the whole history), compare (default 'previous'), by (one attribute, or two
--   with a comma), integration_id, channel (both may be missing).
-- Follows [D4], [D6], [D8], [D14], [D15], [D50], [D74], [D89].

with

row_figures as materialized (from breakdown_rows())

select
    present.shown_keys as "key",
    present.labels as label,
    unnest(breakdown_figures_of(present)),
    present.unknown_items as missing,
    ratio(safe_divide(present.exact_revenue, present.total_revenue)) as share,
    case
        when previous.window_no is not null
            then struct_insert(
                breakdown_figures_of(previous), share := ratio(safe_divide(previous.exact_revenue, previous.total_revenue))
            )
    end as previous,
    case when previous.window_no is not null then breakdown_changes(present, previous) end as changes
from row_figures as present
left join row_figures as previous on previous.window_no = 2 and previous.place = present.place
where present.window_no = 1
order by present.place
