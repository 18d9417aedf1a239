-- The fields that analyses return next to their own figures [D9], [D16], [D23]; each endpoint declares which.
-- Grain: one row.
-- Parameters: start_date, end_date (null without a period), compare.

select
    {startDate: period_start(), endDate: period_end()} as period,
    case when compare() <> 'none' then {startDate: previous_start(), endDate: previous_end()} end as "previousPeriod",
    instant_text(organization.as_of) as "asOf",
    coverage() as coverage,
    margin.margin_percent::double as "marginPercent",
    margin.is_configured as "marginConfigured",
    margin.completeness as "marginCompleteness",
    margin.item_status as "marginItemStatus",
    granularity() as granularity
from organization
cross join margin
