-- How often an alert would have spoken over the history.
-- Grain: one row.
-- Parameters: built_in, or metric, rule, value, over, channel, campaign_id, integration_id; start_date, end_date (inclusive;
-- null for the whole history); notes (of the settings).
-- Follows [D96], [D226], [D227].

with

judged as materialized (from replayed_judgements()),

days as (

    select day_on, bool_or(is_beyond) as is_beyond
    from judged
    where is_beyond is not null and can_tell and is_in_period(day_on)
    group by day_on

),

counted as (

    select
        count(*) as days,
        count(*) filter (where is_beyond) as beyond,
        min(day_on) as first_on,
        max(day_on) as last_on
    from days

),

spoken as (

    select count(*) as causes
    from alert_causes('judged')
    where is_in_period(from_on)

)

select
    counted.days as "judgedDays",
    counted.beyond,
    spoken.causes,
    counted.first_on as "firstDay",
    counted.last_on as "lastDay",
    average(safe_divide(7 * spoken.causes, counted.days)) as "perWeek",
    counted.days >= 56 as "isLongEnough",
    coalesce(7 * spoken.causes > 2 * counted.days, false) as "isTooOften"
from counted
cross join spoken
