-- The scope of the listing and its category totals.
-- Grain: one row; no row when the organization has no such store.
-- Parameters: integration_id, date_from, date_to, today.

select
    {'from': date_from(), 'to': date_to()} as period,
    instant_text(as_of) as "asOf"
from requested_store()
