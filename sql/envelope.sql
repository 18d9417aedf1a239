-- What every analysis carries beside its own figures [D9], [D16], [D23]; those that do not use the margin leave its
-- four fields out.
-- Grain: one row.
-- Parameters: start_date, end_date (null without a period).

select
    {startDate: period_start(), endDate: period_end()} as period,
    instant_text(organization.as_of) as "asOf",
    margin.margin_percent::double as "marginPercent",
    margin.is_configured as "marginConfigured",
    margin.completeness as "marginCompleteness",
    margin.item_status as "marginItemStatus"
from organization
cross join margin
