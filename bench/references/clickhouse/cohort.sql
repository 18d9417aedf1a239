-- Retention by month of first purchase: a row per cohort, with a list of the months since.

with
    {start_date:Date} as first_day,
    {end_date:Date} as last_day,
    (select margin_rate from organization) as margin,
    (select toStartOfMonth(horizon_on) from organization) as horizon_month,

    row_totals as (
        select first_month as cohort_on, sum(daily_acquisitions.customers) as customers, sum(repurchase_customers) as repurchased
        from daily_acquisitions
        where first_on between first_day and last_day
        group by cohort_on
    ),

    -- Every month up to the horizon, with or without purchases.
    cells as (
        select
            cohort_on,
            arrayMap(no -> toUInt16(no), range(toUInt32(dateDiff('month', cohort_on, horizon_month) + 1))) as all_steps,
            groupArray(step) as active,
            groupArray(step_customers) as active_customers,
            groupArray(step_revenue) as active_revenue,
            groupArray(step_repeat_revenue) as active_repeat_revenue,
            sum(step_revenue) as row_revenue,
            sum(step_direct_revenue) as row_direct_revenue,
            sumIf(step_revenue, step = 0) as step_0_revenue,
            sumIf(step_customers, step = 0) as step_0_customers
        from (
            select
                first_month as cohort_on,
                month_no as step,
                sum(customers) as step_customers,
                sum(revenue) as step_revenue,
                sum(direct_revenue) as step_direct_revenue,
                sum(repeat_revenue) as step_repeat_revenue
            from daily_cohorts
            where first_on between first_day and last_day
            group by cohort_on, step
        )
        group by cohort_on
    ),

    row_spend as (
        select spent_month as cohort_on, sum(spend) as investment
        from daily_spend
        where spent_on between first_day and last_day
        group by cohort_on
    )

select
    cohort_on as "cohortMonth",
    step_0_customers as "initialValue",
    money(investment) as "acquisitionInvestment",
    ratio(per(step_0_revenue * margin - investment, investment)) as "roi",
    customers as "firstPurchaseCustomers",
    repurchased as "repurchaseCustomers",
    money(100 * per(repurchased, customers)) as "repurchasePct",
    money(row_direct_revenue) as "directRevenue",
    money(row_direct_revenue * margin) as "directMargin",
    money(row_revenue) as "totalRevenue",
    money(row_revenue * margin) as "totalMargin",
    money(row_revenue - row_direct_revenue) as "additionalRevenue",
    money((row_revenue - row_direct_revenue) * margin) as "additionalMargin",
    arrayMap(step -> ratio(per(active_customers[indexOf(active, step)], step_0_customers)), all_steps) as "cell.pct",
    arrayMap(step -> active_customers[indexOf(active, step)], all_steps) as "cell.absolute",
    arrayMap(step -> money(active_revenue[indexOf(active, step)] * margin), all_steps) as "cell.complementary",
    arrayMap(step -> if(step > 0, money(active_repeat_revenue[indexOf(active, step)]), null), all_steps)
        as "cell.repurchaseRevenue"
from row_totals
join cells using (cohort_on)
left join row_spend using (cohort_on)
order by cohort_on
