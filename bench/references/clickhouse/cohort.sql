-- Retention by cohort: a row per cohort, value of the breakdown and month since.
-- `{facts}`: the relations `active_cells`, a row per cohort, value and month with orders, and `row_totals`.

with
    {break_by:Nullable(String)} as asked_break_by,
    ifNull(asked_break_by, '') as break_by,
    {view:String} as view,
    (select margin_rate from organization) as margin,
    (select toStartOfMonth(horizon_on) from organization) as horizon_month,

{facts}

    -- Every month up to the horizon, with or without purchases.
    cells as (
        select
            *,
            first_value(cell_customers) over cohort_row as step_0_customers,
            first_value(cell_revenue) over cohort_row as step_0_revenue,
            sum(cell_revenue) over cohort_row as revenue_so_far,
            sum(cell_revenue) over (partition by cohort_on, store_no, break_key) as row_revenue,
            sum(cell_repeat_revenue) over (partition by cohort_on, store_no, break_key) as row_repeat_revenue
        from (
            select *, toInt32(arrayJoin(range(toUInt32(dateDiff('month', cohort_on, horizon_month) + 1)))) as step
            from row_totals
        ) as steps
        left join active_cells using (cohort_on, store_no, break_key, step)
        window cohort_row as (partition by cohort_on, store_no, break_key order by step)
    ),

    -- Only the total, channels and campaigns have their own spend.
    row_spend as (
        select
            toStartOfMonth(spent_on) as cohort_on,
            multiIf(break_by = 'origem', connector, break_by = 'campanha', campaign_key, '') as break_key,
            sum(spend) as row_investment
        from media_spend
        where break_by in ('', 'origem', 'campanha')
            and ({start_date:Nullable(Date)} is null or spent_on between {start_date:Nullable(Date)} and {end_date:Nullable(Date)})
        group by cohort_on, break_key
    ),

    figures as (
        select
            *,
            if(break_by in ('', 'origem', 'campanha'), row_investment, null) as investment,
            minOrNullIf(step, row_investment > 0 and revenue_so_far * margin >= row_investment) over (
                partition by cohort_on, store_no, break_key
            ) as payback
        from cells
        left join row_spend using (cohort_on, break_key)
    )

select
    cohort_on as "cohortMonth",
    nullIf(break_key, '') as "breakKey",
    step,
    if(view = 'logo', toFloat64(step_0_customers), money(step_0_revenue * margin)) as "initialValue",
    customers as "firstPurchaseCustomers",
    repurchase_customers as "repurchaseCustomers",
    money(100 * per(repurchase_customers, customers)) as "repurchasePct",
    money(row_revenue - row_repeat_revenue) as "directRevenue",
    money((row_revenue - row_repeat_revenue) * margin) as "directMargin",
    money(row_revenue) as "totalRevenue",
    money(row_revenue * margin) as "totalMargin",
    money(investment) as "acquisitionInvestment",
    money(per(investment, customers)) as cac,
    money(per(row_revenue * margin, customers)) as ltv,
    payback,
    ratio(if(view = 'logo', per(cell_customers, step_0_customers), per(cell_revenue, step_0_revenue))) as "cell.pct",
    if(view = 'logo', toFloat64(cell_customers), money(cell_revenue * margin)) as "cell.absolute",
    if(view = 'logo', money(cell_revenue * margin), toFloat64(cell_customers)) as "cell.complementary",
    if(step > 0, money(cell_repeat_revenue), null) as "cell.repurchaseRevenue"
from figures
order by cohort_on, break_key = '', customers desc, break_key, store_no, step
