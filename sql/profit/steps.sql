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

by_day as materialized (from statement_days()),

step_lines as materialized (from exact_lines('steps', 'by_day')),

-- Of each line, the steps as rounded; what that leaves over goes to the largest.
line_steps as (

    select
        step_lines.line,
        list(step_lines.window_no order by step_lines.window_no) as window_nos,
        case
            when any_value(lines.amount) is not null
                then settled(list(step_lines.exact order by step_lines.window_no), any_value(lines.amount))
            else list(rounded_sum(step_lines.exact) order by step_lines.window_no)
        end as amounts
    from step_lines
    join statement_lines() as lines on lines.window_no = 1 and lines.line = step_lines.line
    where not step_lines.is_total
    group by step_lines.line

),

rounded as materialized (

    select step_lines.*, settled_steps.amount
    from step_lines
    left join (
        select line, unnest(window_nos) as window_no, unnest(amounts) as amount from line_steps
    ) as settled_steps
        on settled_steps.line = step_lines.line and settled_steps.window_no = step_lines.window_no

)

select "date", unnest(by_line(amounts))
from (
    select steps.point_on as "date", list(lines.amount::double order by lines.line_no) as amounts
    from with_totals('rounded') as lines
    join steps on steps.window_no = lines.window_no
    group by steps.point_on
)
order by "date"
