-- Web analytics report on events -> one row per vendor row.
-- Grain: day x event; `_segment` distinguishes rows by other dimensions of the report.
-- Follows [V3.2]: `conversions` is the older name of key events; [D22].

select
    file_no,
    position,
    dimension['eventName'] as event_name,
    report_day(dimension['date']) as date,
    metric['eventCount'] as event_count,
    metric['eventCountPerUser'] as event_count_per_user,
    metric['eventValue'] as event_value,
    metric['eventsPerSession'] as events_per_session,
    coalesce(metric['keyEvents'], metric['conversions']) as key_events,
    further as _segment,
    refusal as _reject
from report_rows(['date', 'eventName'])
