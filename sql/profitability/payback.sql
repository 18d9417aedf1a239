-- Payback curves: what the customers of each first-purchase month had brought in by each month since, with the interval of
-- their mean, against the spend of that month.
-- Grain: one row per month, and with break_by per value; `points` has a point per month, through that of the horizon.
-- Parameters: start_date, end_date (of first orders and spend, inclusive; null for the whole history), break_by (an
-- attribute of the first order, or two with a comma between them; null without a breakdown).
-- Follows [D52], [D26], [D30], [D87]. A month or a value without new customers has no row: its spend is in none.
-- `rowsLeftOut`: the number of rows that do not fit, in every row.

with

cohorts as (from payback_rows()),

points as (from payback_points('cohorts')),

figures as (

    select
        points.*,
        points.revenue * margin.margin_rate as contribution,
        safe_divide(contribution, points.customers) as per_customer,
        points.error * margin.margin_rate::double as error_of_contribution,
        contribution >= points.investment as is_paid_back
    from with_errors('points') as points
    cross join margin

)

select
    cohort_on as "cohortMonth",
    any_value(shown_keys) as "breakKey",
    any_value(labels) as "breakLabel",
    any_value(customers) as customers,
    row_money(any_value(investment)) as investment,
    average(cac(any_value(investment), any_value(customers))) as cac,
    case
        when any_value(investment) is null then null
        when any_value(investment) <= 0 then 'no_spend'
        when bool_or(is_paid_back) then 'paid_back'
        else 'not_yet'
    end as state,
    min(month_no) filter (where is_paid_back and investment > 0) as "paybackMonths",
    list({
        month: month_no,
        complete: is_complete,
        contribution: row_money(contribution),
        "perCustomer": average(per_customer),
        lower: bound(per_customer - error_of_contribution),
        upper: bound(per_customer + error_of_contribution),
        "paidBackPct": percentage(100 * safe_divide(contribution, case when investment > 0 then investment end))
    } order by month_no) as points,
    any_value(rows_left_out) as "rowsLeftOut"
from figures
group by cohort_on, source, break_key
order by cohort_on, lacks_value(break_key), any_value(figures.customers) desc, break_key, source
