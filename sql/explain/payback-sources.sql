-- What distinguishes rows of the payback curves with the same value: the connector of a campaign.
-- Grain: one row per row of profitability/payback, in the same order.
-- Parameters: those of profitability/payback.
-- Follows [D52].

select source
from payback_rows()
order by cohort_on, break_key is null, customers desc, break_key, source
