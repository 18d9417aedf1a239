-- Events of the web analytics properties per day: the stages of the funnel are sums of these [D27].
-- Grain: one row per day and event name.
-- Key: happened_on, event_name
-- Kept for: analyses
-- Order: happened_on, event_name

select
    "date" as happened_on,
    event_name,
    sum(event_count)::bigint as event_count
from staging.webanalytics_events
where event_name is not null
group by all
