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

-- Those days in steps of a day, a week (from Monday) or a month, the first and last step cut to them.
-- Grain: one row per step. `point_on` is the first of the month, the Monday, or the day.
create macro covered_steps(step) as table
    select
        point.point_on::date as point_on,
        greatest(point.point_on::date, covered.first_on) as first_on,
        least(
            case step
                when 'month' then last_day(point.point_on::date)
                when 'week' then point.point_on::date + 6
                when 'day' then point.point_on::date
                else unknown_choice('granularity', step)
            end,
            covered.last_on
        ) as last_on
    from covered_days() as covered
    cross join lateral (
        select unnest(generate_series(
            date_trunc(step, covered.first_on)::timestamp,
            covered.last_on::timestamp,
            case step
                when 'month' then interval 1 month
                when 'week' then interval 1 week
                when 'day' then interval 1 day
                else unknown_choice('granularity', step)
            end
        )) as point_on
    ) as point;

-- The points of a series are days for periods of up to 92 days, otherwise months; months without a period [D28].
create macro granularity() as
    case when (period_end() - period_start() + 1) <= 92 then 'day' else 'month' end;

-- The period that the requested one is compared with [D50]: that of the same length right before it, the same dates one
-- year earlier (29 February becomes 28), or the same weekdays 364 days earlier. Null without a period, and for 'none'.
create macro previous_start() as
    case compare()
        when 'previous' then period_start() - (period_end() - period_start() + 1)::int
        when 'year' then (period_start() - interval 1 year)::date
        when 'weekdays' then period_start() - 364
    end;
create macro previous_end() as
    case compare()
        when 'previous' then period_start() - 1
        when 'year' then (period_end() - interval 1 year)::date
        when 'weekdays' then period_end() - 364
    end;

-- Both periods; without one only the whole history.
create macro period_windows() as [
    {
        window_no: 1,
        first_on: coalesce(period_start(), '-infinity'::date),
        last_on: coalesce(period_end(), 'infinity'::date)
    },
    {window_no: 2, first_on: previous_start(), last_on: previous_end()}
];
