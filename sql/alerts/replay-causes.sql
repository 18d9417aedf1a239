-- When an alert would have spoken over the history, and what the data say of these days.
-- Grain: one row per cause, the latest first.
-- Parameters: as of alerts/replay.
-- Follows [D96], [D226], [D227].

with

alerts as materialized (from replayed_alerts()),

judged as materialized (from replayed_judgements()),

causes as (from causes_of_period('judged'))

select * exclude (alert_no, scope_key, from_on)
from shown_causes('alerts', 'causes')
order by from_on desc, alert_no, scope_key
