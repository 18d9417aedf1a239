-- The pace of a month: what it has come to up to yesterday, what it will come to if its other days are as their weekdays were in the 8
-- weeks before, and by how much that was wrong on the same day of the 12 months before.
-- Grain: one row per target that is an amount.
-- Parameters: month_start, yesterday (the first day of the current month, and the day before today), targets (as {figure: amount}).
-- Follows [D8], [D74], [D95].

with

targeted as (

    select line_no, line as figure, (targets() ->> line)::decimal(38, 18) as target
    from profit_line_list()
    where line in ('revenue', 'contribution3', 'profit') and (targets() ->> line) is not null

),

-- The current month (0) and the 12 before it, each with the day on which it is looked at: the same day, or its last.
moments as materialized (

    select
        month_no,
        month_on,
        last_day(month_on) as month_end_on,
        least(month_on + (yesterday() + 1 - month_start())::integer, last_day(month_on)) as seen_on
    from (
        select month_no, (month_start() - to_months(month_no))::date as month_on
        from (select unnest(generate_series(0, 12))::integer as month_no)
        where month_start() is not null
    )

),

-- A window per day, and one (0) of the month up to yesterday.
windows as materialized (

    select row_number() over (order by day_on) as window_no, day_on as first_on, day_on as last_on
    from (
        select unnest(generate_series(min(seen_on) - 56, yesterday(), interval 1 day))::date as day_on
        from moments
    )
    union all
    select 0, month_on, yesterday()
    from moments
    where month_no = 0

),

window_sums as materialized (from profit_sums('windows', 'daily_profit_amounts', 'refund')),

rounded_lines as materialized (select *, rounded_sum(exact) as amount from exact_lines('windows', 'window_sums')),

lines as materialized (

    select lines.line as figure, lines.window_no, windows.first_on as day_on, lines.exact, lines.amount
    from with_totals('rounded_lines') as lines
    join windows on windows.window_no = lines.window_no
    semi join targeted on targeted.figure = lines.line

),

day_amounts as (select figure, day_on, exact from lines where window_no <> 0),

-- Days before the data begin are unknown.
data_days as (select min(day_on) as first_on from daily_totals where is_covered),

weekdays as (

    select
        moments.month_no,
        day_amounts.figure,
        isodow(day_amounts.day_on) as weekday,
        case when count(day_amounts.exact) = 8 then sum(day_amounts.exact) end as eight_days
    from moments
    join data_days on data_days.first_on <= moments.seen_on - 56
    join day_amounts on day_amounts.day_on between moments.seen_on - 56 and moments.seen_on - 1
    group by all

),

days_left as (

    select month_no, isodow(day_on) as weekday, count(*) as days
    from (
        select month_no, unnest(generate_series(seen_on, month_end_on, interval 1 day))::date as day_on
        from moments
    )
    group by all

),

rests as (

    select
        weekdays.month_no,
        weekdays.figure,
        case when count(weekdays.eight_days) = count(*) then sum(weekdays.eight_days * days_left.days) end as eight_rests
    from weekdays
    join days_left on days_left.month_no = weekdays.month_no and days_left.weekday = weekdays.weekday
    group by all

),

past_months as (

    select
        moments.month_no,
        day_amounts.figure,
        coalesce(sum(day_amounts.exact) filter (where day_amounts.day_on < moments.seen_on), 0) as to_date,
        case when count(day_amounts.exact) = count(*) then sum(day_amounts.exact) end as actual
    from moments
    join day_amounts on day_amounts.day_on between moments.month_on and moments.month_end_on
    where moments.month_no > 0
    group by all

),

errors as (

    select
        past_months.figure,
        count(*) as months,
        median(
            100 * abs(safe_divide(past_months.to_date + rests.eight_rests / 8 - past_months.actual, past_months.actual))
        ) as error
    from past_months
    join rests on rests.month_no = past_months.month_no and rests.figure = past_months.figure
    where past_months.actual <> 0 and rests.eight_rests is not null
    group by past_months.figure

),

-- The lines of the statement of the month up to yesterday; on its first day there are none.
to_dates as (select figure, exact, amount from lines where window_no = 0)

select
    targeted.figure,
    money(targeted.target) as target,
    to_dates.amount::double as "toDate",
    -- A mean is DOUBLE, and the sum may be less than it.
    bound(to_dates.exact + rests.eight_rests / 8) as expected,
    percentage(case when to_dates.exact is not null and rests.eight_rests is not null and errors.months >= 3 then errors.error end)
        as "errorPct"
from targeted
left join to_dates on to_dates.figure = targeted.figure
left join rests on rests.month_no = 0 and rests.figure = targeted.figure
left join errors on errors.figure = targeted.figure
order by targeted.line_no
