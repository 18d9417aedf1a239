-- Retention by month of first purchase: a row per cohort, with a list of the months since.

with

row_totals as (

    select first_month as cohort_on, sum(customers) as customers, sum(repurchase_customers) as repurchase_customers
    from daily_acquisitions
    where first_on between $start_date and $end_date
    group by cohort_on

),

active_cells as (

    select
        first_month as cohort_on,
        month_no as step,
        sum(customers) as customers,
        sum(revenue) as revenue,
        sum(direct_revenue) as direct_revenue,
        sum(repeat_revenue) as repeat_revenue
    from daily_cohorts
    where first_on between $start_date and $end_date
    group by cohort_on, step

),

row_spend as (

    select spent_month as cohort_on, sum(spend) as spend
    from daily_spend
    where spent_on between $start_date and $end_date
    group by cohort_on

),

{{cells: cohort_on | months_between(cohort_on, horizon_on)}}

select
    cohort_on as "cohortMonth",
    amount(coalesce(spend, 0)) as "acquisitionInvestment",
    ratio(per(step_0_revenue * margin_rate - coalesce(spend, 0), coalesce(spend, 0))) as roi,
    {{cohort_columns}}
from row_totals
join cells using (cohort_on)
left join row_spend using (cohort_on)
order by cohort_on
