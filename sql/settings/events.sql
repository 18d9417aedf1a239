-- Events that the web analytics properties have seen, for the stages of the funnel [D27].
-- Grain: one row per event name, the most frequent first. `recent`: of the last 90 days that have events. Parameters: none.

with

newest as (

    select max(happened_on) as newest_on from site_events

)

select
    site_events.event_name as event,
    sum(site_events.event_count)::bigint as "count",
    coalesce(sum(site_events.event_count) filter (where site_events.happened_on > newest.newest_on - 90), 0)::bigint as recent,
    min(site_events.happened_on) as "firstDay",
    max(site_events.happened_on) as "lastDay"
from site_events
cross join newest
group by all
order by "count" desc, event
