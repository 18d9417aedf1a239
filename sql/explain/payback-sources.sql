-- What distinguishes rows of the payback curves with the same value: the connector of a campaign; of
-- a pair what each of the two has, with a bar between them.
-- Grain: one row per row of profitability/payback, in the same order.
-- Parameters: those of profitability/payback.
-- Follows [D52], [D87].

select sources_text(source)
from payback_rows()
order by cohort_on, lacks_value(break_key), customers desc, break_key, source
