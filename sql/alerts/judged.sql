-- What alerts judged in the period, so that silence is known from days that could not be judged.
-- Grain: one row per alert that is on, the built-in ones first.
-- Parameters: start_date, end_date (inclusive); alerts, notes (of the settings).
-- Follows [D96], [D226], [D227].

with

judged as materialized (from current_judgements()),

days as (

    select
        alert_no,
        day_on,
        bool_or(is_beyond) as is_beyond,
        min(least_pct) as least_pct,
        bool_or(can_tell) as can_tell
    from judged
    where is_beyond is not null and is_in_period(day_on)
    group by alert_no, day_on

),

counted as (

    select
        alert_no,
        count(*) filter (where can_tell) as days,
        count(*) filter (where is_beyond) as beyond,
        max(day_on) filter (where can_tell) as last_on,
        arg_max(least_pct, day_on) as least_pct,
        arg_max(can_tell, day_on) as can_tell
    from days
    group by alert_no

)

select
    alerts.name as alert,
    alerts.built_in is not null as "builtIn",
    coalesce(counted.days, 0) as days,
    coalesce(counted.beyond, 0) as beyond,
    counted.last_on as "lastDay",
    percentage(counted.least_pct) as "leastPct",
    -- Alerts whose event is no chance say nothing of days without it.
    coalesce(
        counted.can_tell,
        alerts.built_in is null or alerts.built_in in ('lateData', 'spendWithoutSales', 'stock')
    ) as "canTell"
from alerts_on() as alerts
left join counted on counted.alert_no = alerts.alert_no
order by alerts.alert_no
