-- Retention by month of first purchase: a row per cohort, with a list of the months since.

with

row_totals as (

    select first_month as cohort_on, sum(customers) as customers, sum(repurchase_customers) as repurchase_customers
    from daily_acquisitions
    where first_on between $start_date::date and $end_date::date
    group by 1

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
    where first_on between $start_date::date and $end_date::date
    group by 1, 2

),

row_spend as (

    select spent_month as cohort_on, sum(spend) as spend
    from daily_spend
    where spent_on between $start_date::date and $end_date::date
    group by 1

),

rows_with_revenue as (

    select
        row_totals.*,
        organization.margin_rate,
        (
            12 * (extract(year from organization.horizon_on) - extract(year from row_totals.cohort_on))
            + extract(month from organization.horizon_on) - extract(month from row_totals.cohort_on)
        )::int as last_step,
        coalesce(row_spend.spend, 0) as investment,
        row_revenue.*
    from row_totals
    cross join organization
    left join row_spend using (cohort_on)
    cross join lateral (
        select
            sum(revenue) as revenue,
            sum(direct_revenue) as direct_revenue,
            sum(revenue) filter (where step = 0) as step_0_revenue,
            sum(customers) filter (where step = 0) as step_0_customers
        from active_cells
        where active_cells.cohort_on = row_totals.cohort_on
    ) as row_revenue

),

-- Every month up to the horizon, with or without purchases, in order.
cell_lists as (

    select
        cohort_on,
        array_agg(ratio(customers / step_0_customers)) as pct,
        array_agg(customers) as absolute,
        array_agg(amount(revenue * margin_rate)) as complementary,
        array_agg(case when step > 0 then amount(repeat_revenue) end) as repurchase_revenue
    from (
        select
            rows.cohort_on,
            step.no as step,
            rows.margin_rate,
            nullif(rows.step_0_customers, 0) as step_0_customers,
            coalesce(cells.customers, 0) as customers,
            coalesce(cells.revenue, 0) as revenue,
            coalesce(cells.repeat_revenue, 0) as repeat_revenue
        from rows_with_revenue as rows
        cross join lateral generate_series(0, rows.last_step) as step (no)
        left join active_cells as cells on cells.cohort_on = rows.cohort_on and cells.step = step.no
        order by rows.cohort_on, step.no
    ) as ordered_cells
    group by cohort_on

)

select
    rows.cohort_on as "cohortMonth",
    rows.step_0_customers as "initialValue",
    amount(rows.investment) as "acquisitionInvestment",
    ratio((rows.step_0_revenue * rows.margin_rate - rows.investment) / nullif(rows.investment, 0)) as roi,
    rows.customers as "firstPurchaseCustomers",
    rows.repurchase_customers as "repurchaseCustomers",
    amount(100.0 * rows.repurchase_customers / rows.customers) as "repurchasePct",
    amount(rows.direct_revenue) as "directRevenue",
    amount(rows.direct_revenue * rows.margin_rate) as "directMargin",
    amount(rows.revenue) as "totalRevenue",
    amount(rows.revenue * rows.margin_rate) as "totalMargin",
    amount(rows.revenue - rows.direct_revenue) as "additionalRevenue",
    amount((rows.revenue - rows.direct_revenue) * rows.margin_rate) as "additionalMargin",
    cells.pct as "cell.pct",
    cells.absolute as "cell.absolute",
    cells.complementary as "cell.complementary",
    cells.repurchase_revenue as "cell.repurchaseRevenue"
from rows_with_revenue as rows
join cell_lists as cells using (cohort_on)
order by rows.cohort_on
