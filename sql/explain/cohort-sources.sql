-- What distinguishes rows of the cohorts with the same value: the connector of a campaign, the integration of a product or
-- category.
-- Grain: one row per row of profitability/cohort, in the same order.
-- Parameters: those of profitability/cohort.
-- Follows [D30].

select source
from cohort_rows()
order by cohort_on, break_key is null, customers desc, break_key, source
