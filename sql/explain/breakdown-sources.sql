-- What distinguishes rows of a breakdown with the same value: the connector of a campaign.
-- Grain: one row per row of profitability/breakdown, in the same order.
-- Parameters: those of profitability/breakdown.
-- Follows [D89].

with

figures as materialized (from breakdown_figures())

select coalesce(source[1], source[2]) as source
from breakdown_values('figures')
order by place
