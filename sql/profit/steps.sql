-- The lines of the statement by day, week (from Monday) or month, cut to the period: they add up to the lines to the cent, unless these
-- are null.
-- Grain: one row per step.
-- Parameters: start_date, end_date (inclusive; null for the whole history), granularity, integration_id, refunds_on (may be missing).
-- Follows [D8], [D74].

with

steps as materialized (

    select row_number() over (order by point_on) as window_no, point_on, first_on, last_on
    from profit_steps(point_length())

),

window_sums as materialized (from profit_sums('steps', refunds_on())),

step_lines as (

    select *, rounded_sum(exact) as rounded
    from exact_lines('steps', 'window_sums')

),

-- Of each line that is known, the step that gets what rounding leaves over: the largest, the first of equals.
placed as (

    select
        step_lines.*,
        lines.amount - sum(step_lines.rounded) over (partition by step_lines.line) as leftover,
        row_number() over (
            partition by step_lines.line order by abs(step_lines.rounded) desc nulls last, step_lines.window_no
        ) as place
    from step_lines
    join statement_lines() as lines on lines.window_no = 1 and lines.line = step_lines.line

),

settled_lines as materialized (

    select
        window_no, line, line_no, is_total, is_of_no_store, exact,
        rounded + case when place = 1 then coalesce(leftover, 0) else 0 end as amount
    from placed

)

select "date", unnest(by_line(amounts))
from (
    select steps.point_on as "date", list(lines.amount::double order by lines.line_no) as amounts
    from with_totals('settled_lines') as lines
    join steps on steps.window_no = lines.window_no
    group by steps.point_on
)
order by "date"
