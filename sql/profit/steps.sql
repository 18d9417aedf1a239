-- The lines of the statement by day, week (from Monday) or month, cut to the period: they add up to the lines to the cent, unless these
-- are null.
-- Grain: one row per step.
-- Parameters: start_date, end_date (inclusive; null for the whole history), granularity, integration_id, channel, refunds_on
--   (all may be missing).
-- Follows [D8], [D74], [D86].

with

steps as materialized (

    select row_number() over (order by point_on) as window_no, point_on, first_on, last_on
    from profit_steps(point_length())

),

day_amounts as (from statement_amounts()),

window_sums as materialized (from profit_sums('steps', 'day_amounts', refunds_on())),

-- Each line is settled to that of the statement, as its parts are.
step_lines as (

    select steps.*, steps.window_no as place, rounded_sum(steps.exact) as rounded, lines.amount as line_amount
    from exact_lines('steps', 'window_sums') as steps
    join statement_lines() as lines on lines.window_no = 1 and lines.line = steps.line

),

settled_lines as materialized (from settled_parts('step_lines'))

select "date", unnest(by_line(amounts))
from (
    select steps.point_on as "date", list(lines.amount::double order by lines.line_no) as amounts
    from with_totals('settled_lines') as lines
    join steps on steps.window_no = lines.window_no
    group by steps.point_on
)
order by "date"
