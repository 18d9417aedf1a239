-- The statement of profit: its lines, what each is made of and how much of it is known, and the period that it is compared with.
-- Grain: one row. `previousPeriod` and `changes` are null without a comparison.
-- Parameters: start_date, end_date (inclusive; null for the whole history). All others may be missing: compare (default
--   'previous'), compare_start_date, compare_end_date, integration_id, channel (filters), refunds_on (refund, order).
-- Follows [D4], [D8], [D10], [D18], [D50], [D54], [D70], [D71], [D72], [D73], [D74], [D86].

with

windows as materialized (from statement_windows()),

lists as (

    select
        list({amount: amount, share: share, source: source, coverage: coverage, parts: parts} order by line_no) as lines,
        list(previous order by line_no) as previous,
        list({amount: change, pct: pct} order by line_no) as changes
    from shown_lines()

)

select
    by_line(lists.lines) as statement,
    case
        when windows.window_no is not null
            then struct_insert(by_line(lists.previous), period := {startDate: windows.first_on, endDate: windows.last_on})
    end as "previousPeriod",
    case when windows.window_no is not null then by_line(lists.changes) end as changes
from lists
left join windows on windows.window_no = 2
