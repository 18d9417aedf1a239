-- What alerts say of the period: the causes that began, held or ended in it.
-- Grain: one row per cause, the latest first.
-- Parameters: start_date, end_date (inclusive); alerts, notes (of the settings).
-- Follows [D96], [D226], [D227].

with

alerts as materialized (from alerts_on()),

judged as materialized (from current_judgements()),

causes as (from causes_of_period('judged'))

select * exclude (alert_no, scope_key, from_on)
from shown_causes('alerts', 'causes')
order by from_on desc, alert_no, scope_key
