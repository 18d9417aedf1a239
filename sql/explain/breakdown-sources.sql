-- What distinguishes rows of a breakdown with the same value: the connector of a campaign.
-- Grain: one row per row of profitability/breakdown, in the same order.
-- Parameters: those of profitability/breakdown.
-- Follows [D89].

select source
from breakdown_values()
order by place
