-- What paybacks are computed from: the spend of each day, the customers acquired on it, and their revenue up to each month
-- since [D26]. Spend and customers are repeated for every month, so that each month can be compared without the others.
-- Grain: one row per segment, day and month since, through the month of the last order. `segment`: 'all' or a strategy.
-- Key: segment, day_on, month_no
-- Kept for: analyses
-- Order: segment, day_on, month_no
-- Row group: 20480

with

acquisition_rows as (from daily_acquisitions),

spend_rows as (from media_spend),

cohort_rows as (from daily_cohorts),

organization_rows as (from organization)

from payback_sums('acquisition_rows', 'spend_rows', 'cohort_rows', 'organization_rows')
