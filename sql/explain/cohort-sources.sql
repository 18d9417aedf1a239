-- What distinguishes rows of the cohorts with the same value: the connector of a campaign, the integration of a product or
-- category; of a pair what each of the two has, with a bar between them.
-- Grain: one row per row of profitability/cohort, in the same order.
-- Parameters: those of profitability/cohort.
-- Follows [D30], [D87].

select sources_text(source)
from cohort_rows()
order by cohort_on, lacks_value(break_key), customers desc, break_key, source
