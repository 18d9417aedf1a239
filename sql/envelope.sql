-- The fields that analyses return next to their own figures [D9], [D16], [D23]; each endpoint declares which.
-- Grain: one row.
-- Parameters: start_date, end_date (null without a period), compare.

with

-- Read once: each mention of a parameter makes a plan longer.
requested as (

    select period_start() as start_on, period_end() as end_on

)

select
    {startDate: requested.start_on, endDate: requested.end_on} as period,
    case
        when compare() <> 'none'
            then {
                startDate: start_before(requested.start_on, requested.end_on),
                endDate: end_before(requested.start_on, requested.end_on)
            }
    end as "previousPeriod",
    instant_text(organization.as_of) as "asOf",
    coverage_of(days, requested.end_on, organization.horizon_on) as coverage,
    margin.margin_percent::double as "marginPercent",
    margin.is_configured as "marginConfigured",
    margin.completeness as "marginCompleteness",
    margin.item_status as "marginItemStatus",
    granularity_of(requested.start_on, requested.end_on) as granularity
from organization
cross join margin
cross join account_days() as days
cross join requested
