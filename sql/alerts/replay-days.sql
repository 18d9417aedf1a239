-- The days of a replay: what a figure was, what was expected, and whether that is beyond the limit.
-- Grain: one row per judged day and what it is about.
-- Parameters: as of alerts/replay.
-- Follows [D96], [D226], [D227].

select
    day_on as date,
    scope_key as about,
    first_on as "from",
    day_on as "to",
    average(actual) as actual,
    average(expected) as expected,
    is_beyond as "isBeyond"
from replayed_judgements()
where is_beyond is not null and can_tell and is_in_period(day_on)
order by day_on, scope_key
