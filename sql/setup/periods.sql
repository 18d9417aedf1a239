-- Periods: the days that an answer covers, their steps, and the windows that are compared.

-- Whether a day is in the period; every day is without one.
create macro is_in_period(happened_on) as
    happened_on between coalesce(period_start(), '-infinity'::date) and coalesce(period_end(), 'infinity'::date);

-- An instant as the clock of a time zone shows it: that of `integrations.timezone` dates an order.
create macro local_time(happened_at, zone) as timezone(coalesce(zone, 'UTC'), happened_at);

-- The days that an answer covers: the period; without one, whole months from the first to the last that has a counted
-- order or spend [D29].
create macro covered_days() as table
    select
        coalesce(period_start(), date_trunc('month', min(day_on))::date) as first_on,
        coalesce(period_end(), last_day(max(day_on))) as last_on
    from daily_totals
    where is_covered;

-- Days in steps of a day, a week (from Monday) or a month, the first and last step cut to them. `days`: the name of a relation of one
-- row, (first_on, last_on).
-- Grain: one row per step. `point_on` is the first of the month, the Monday, or the day.
create macro calendar_steps(days, step) as table
    select
        point_on::date as point_on,
        greatest(point_on::date, covered_from) as first_on,
        least(
            case step
                when 'month' then last_day(point_on::date)
                when 'week' then point_on::date + 6
                when 'day' then point_on::date
                else unknown_choice('granularity', step)
            end,
            covered_to
        ) as last_on
    from (
        select
            first_on as covered_from,
            last_on as covered_to,
            unnest(generate_series(
                date_trunc(step, first_on)::timestamp,
                last_on::timestamp,
                case step
                    when 'month' then interval 1 month
                    when 'week' then interval 1 week
                    when 'day' then interval 1 day
                    else unknown_choice('granularity', step)
                end
            )) as point_on
        from query_table(days)
    );

-- The days that an answer covers, in steps.
create macro covered_steps(step) as table
    with
    covered as (from covered_days())
    from calendar_steps('covered', step);

-- The points of a series are days for periods of up to 92 days, otherwise months; months without a period [D28].
create macro granularity_of(start_on, end_on) as case when (end_on - start_on + 1) <= 92 then 'day' else 'month' end;
create macro granularity() as granularity_of(period_start(), period_end());

-- The period that the requested one is compared with [D50]: that of the same length right before it, the same dates one
-- year earlier (29 February becomes 28), or the same weekdays 364 days earlier. Null without a period, and for 'none'.
create macro start_before(start_on, end_on) as
    case compare()
        when 'previous' then start_on - (end_on - start_on + 1)::int
        when 'year' then (start_on - interval 1 year)::date
        when 'weekdays' then start_on - 364
    end;
create macro end_before(start_on, end_on) as
    case compare()
        when 'previous' then start_on - 1
        when 'year' then (end_on - interval 1 year)::date
        when 'weekdays' then end_on - 364
    end;
create macro previous_start() as start_before(period_start(), period_end());
create macro previous_end() as end_before(period_start(), period_end());

-- The period (1), which is the whole history where none is requested, and the one that it is compared with (2). Figures of
-- several periods are those of a relation like this one, by its name: `from day_figures('windows')`.
-- Grain: one row per window. Its columns are (window_no, first_on, last_on), the days inclusive. Numbers of one byte are grouped
-- without a hash table.
create macro period_windows() as table
    with
    requested as (select period_start() as start_on, period_end() as end_on)
    select 1::tinyint as window_no, coalesce(start_on, '-infinity'::date) as first_on, coalesce(end_on, 'infinity'::date) as last_on
    from requested
    union all
    select 2::tinyint, start_before(start_on, end_on), end_before(start_on, end_on)
    from requested;
