-- Consolidated indicators of a period, beside those of the period before it.
-- Grain: one row. `previousPeriod` and `changes` are null without a period.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D8] rounding, [D24], [D25]: an LTV is to date; `changes` of `ltv` and `retentionLtv` compare everyone won up
-- to the end of the period with everyone won before its start; other changes come from the unrounded figures.

with

figures as (

    from profitability_figures([
        {
            window_no: 1,
            first_on: coalesce(period_start(), '-infinity'::date),
            last_on: coalesce(period_end(), 'infinity'::date)
        },
        {
            window_no: 2,
            first_on: period_start() - (period_end() - period_start() + 1)::int,
            last_on: period_start() - 1
        }
    ])

),

current_period as (select * from figures where window_no = 1),

previous_period as (select * from figures where window_no = 2),

-- Everyone won before the period, and everyone won by its end.
bases as (

    select
        count(*) filter (where first_on < period_start()) as customers_before,
        sum(revenue) filter (where first_on < period_start()) as revenue_before,
        sum(retention_revenue) filter (where first_on < period_start()) as retention_revenue_before,
        count(*) filter (where first_on <= period_end()) as customers_by_end,
        sum(revenue) filter (where first_on <= period_end()) as revenue_by_end,
        sum(retention_revenue) filter (where first_on <= period_end()) as retention_revenue_by_end
    from customers

),

base_ltvs as (

    select
        ltv(revenue_before, margin_rate, customers_before) as ltv_before,
        ltv(retention_revenue_before, margin_rate, customers_before) as retention_ltv_before,
        ltv(revenue_by_end, margin_rate, customers_by_end) as ltv_by_end,
        ltv(retention_revenue_by_end, margin_rate, customers_by_end) as retention_ltv_by_end
    from bases
    cross join margin

)

select
    unnest(indicators(current_period)),
    case
        when period_start() is not null then struct_concat(
            {period: {startDate: previous_period.first_on, endDate: previous_period.last_on}},
            struct_update(
                indicators(previous_period),
                ltv := money(base_ltvs.ltv_before),
                retentionLtv := money(base_ltvs.retention_ltv_before)
            )
        )
    end as "previousPeriod",
    case
        when period_start() is not null then struct_update(
            indicator_changes(current_period, previous_period),
            ltv := percentage(change(base_ltvs.ltv_by_end, base_ltvs.ltv_before)),
            retentionLtv := percentage(change(base_ltvs.retention_ltv_by_end, base_ltvs.retention_ltv_before))
        )
    end as changes
from current_period
cross join previous_period
cross join base_ltvs
