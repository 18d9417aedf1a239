-- Retention by cohort: what the customers of each first-purchase month, quarter or year bought since, and what they
-- cost.
-- Grain: one row per cohort, and with break_by per value; `months` has a cell per step, complete up to the horizon.
-- Parameters: start_date, end_date (of first orders, inclusive; null for the whole history), view (revenue, logo),
-- group_by (month, quarter, year, week), break_by (an attribute, or two with a comma between them; null without a breakdown).
-- Follows [D6], [D7], [D26], [D30], [D87], [D89]. Rows by product or category overlap: a first purchase with several is in each.
-- `rowsLeftOut`: the number of rows that do not fit, in every row.

with

figures as (

    select
        cohorts.*,
        margin.margin_rate,
        cohorts.revenue * margin.margin_rate as contribution,
        cohorts.direct_revenue * margin.margin_rate as direct_contribution,
        or_zero(cohorts.steps[0].customers) as step_0_customers,
        or_zero(cohorts.steps[0].revenue) as step_0_revenue,
        step_0_revenue * margin.margin_rate as step_0_contribution,
        -- Every step up to that of the horizon, with or without purchases.
        list_transform(
            generate_series(0, last_step(cohorts.cohort_on, organization.horizon_on)),
            lambda step_no: {
                step_no: step_no,
                customers: or_zero(cohorts.steps[step_no].customers),
                revenue: or_zero(cohorts.steps[step_no].revenue),
                contribution: or_zero(cohorts.steps[step_no].revenue) * margin.margin_rate,
                repeat_revenue: or_zero(cohorts.steps[step_no].repeat_revenue)
            }
        ) as cells
    from cohort_rows() as cohorts
    cross join organization
    cross join margin

)

select
    cohort_on as "cohortMonth",
    shown_keys as "breakKey",
    labels as "breakLabel",
    case when cohort_view() = 'logo' then step_0_customers::double else row_money(step_0_contribution) end as "initialValue",
    row_money(investment) as "acquisitionInvestment",
    ratio(roi(step_0_contribution, investment)) as roi,
    customers as "firstPurchaseCustomers",
    repurchase_customers as "repurchaseCustomers",
    percentage(100 * safe_divide(repurchase_customers, customers)) as "repurchasePct",
    row_money(direct_revenue) as "directRevenue",
    row_money(direct_contribution) as "directMargin",
    row_money(revenue) as "totalRevenue",
    row_money(contribution) as "totalMargin",
    row_money(revenue - direct_revenue) as "additionalRevenue",
    row_money(contribution - direct_contribution) as "additionalMargin",
    row_money(investment) as investment,
    average(cac(investment, customers)) as cac,
    average(ltv(revenue, margin_rate, customers)) as ltv,
    months(payback) as payback,
    map_from_entries(list_transform(cells, lambda cell: (
        cell.step_no::varchar,
        case
            when cohort_view() = 'logo' then {
                pct: ratio(safe_divide(cell.customers, step_0_customers)),
                absolute: cell.customers::double,
                complementary: row_money(cell.contribution),
                repurchaseRevenue: case when cell.step_no > 0 then row_money(cell.repeat_revenue) end
            }
            else {
                pct: ratio(safe_divide(cell.revenue, step_0_revenue)),
                absolute: row_money(cell.contribution),
                complementary: cell.customers::double,
                repurchaseRevenue: case when cell.step_no > 0 then row_money(cell.repeat_revenue) end
            }
        end
    ))) as months,
    rows_left_out as "rowsLeftOut"
from figures
order by cohort_on, lacks_value(break_key), customers desc, break_key, source
