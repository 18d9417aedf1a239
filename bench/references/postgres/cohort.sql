-- Retention by cohort: a row per cohort, value of the breakdown and month since.
-- `{facts}`: the relations `active_cells`, a row per cohort, value and month with orders, and `row_totals`.

with

{facts}

-- Every month up to the horizon, with or without purchases. The keys are made comparable: equality with null
-- could neither be hashed nor merged.
cells as (

    select
        row_totals.*,
        step.month_on::date as month_on,
        (row_number() over cohort_row - 1)::int as step,
        coalesce(active_cells.customers, 0) as cell_customers,
        coalesce(active_cells.revenue, 0) as cell_revenue,
        coalesce(active_cells.repeat_revenue, 0) as cell_repeat_revenue,
        first_value(active_cells.customers) over cohort_row as step_0_customers,
        first_value(active_cells.revenue) over cohort_row as step_0_revenue,
        sum(active_cells.revenue) over cohort_row as revenue_so_far,
        sum(active_cells.revenue) over (partition by row_totals.cohort_on, row_totals.store_no, row_totals.break_key) as revenue,
        sum(active_cells.direct_revenue) over (
            partition by row_totals.cohort_on, row_totals.store_no, row_totals.break_key
        ) as direct_revenue
    from row_totals
    cross join organization
    cross join lateral generate_series(
        row_totals.cohort_on::timestamp, date_trunc('month', organization.horizon_on::timestamp), interval '1 month'
    ) as step (month_on)
    left join active_cells
        on active_cells.cohort_on = row_totals.cohort_on
        and coalesce(active_cells.store_no, -1) = coalesce(row_totals.store_no, -1)
        and coalesce(active_cells.break_key, '') = coalesce(row_totals.break_key, '')
        and active_cells.month_on = step.month_on::date
    window cohort_row as (
        partition by row_totals.cohort_on, row_totals.store_no, row_totals.break_key order by step.month_on
    )

),

-- Only the total, channels and campaigns have their own spend.
row_spend as (

    select
        date_trunc('month', spent_on)::date as cohort_on,
        case $break_by when 'origem' then connector when 'campanha' then campaign_key end as break_key,
        sum(spend) as spend
    from media_spend
    where coalesce($break_by, 'origem') in ('origem', 'campanha')
        and ($start_date::date is null or spent_on between $start_date::date and $end_date::date)
    group by 1, 2

),

figures as (

    select
        cells.*,
        organization.margin_rate,
        case
            when coalesce($break_by, 'origem') in ('origem', 'campanha') then coalesce(row_spend.spend, 0)
        end as investment,
        min(cells.step) filter (
            where row_spend.spend > 0 and cells.revenue_so_far * organization.margin_rate >= row_spend.spend
        ) over (partition by cells.cohort_on, cells.store_no, cells.break_key) as payback
    from cells
    cross join organization
    left join row_spend
        on row_spend.cohort_on = cells.cohort_on and coalesce(row_spend.break_key, '') = coalesce(cells.break_key, '')

)

select
    cohort_on as "cohortMonth",
    break_key as "breakKey",
    step,
    case when $view = 'logo' then step_0_customers else amount(step_0_revenue * margin_rate) end as "initialValue",
    customers as "firstPurchaseCustomers",
    repurchase_customers as "repurchaseCustomers",
    amount(100.0 * repurchase_customers / customers) as "repurchasePct",
    amount(direct_revenue) as "directRevenue",
    amount(direct_revenue * margin_rate) as "directMargin",
    amount(revenue) as "totalRevenue",
    amount(revenue * margin_rate) as "totalMargin",
    amount(investment) as "acquisitionInvestment",
    amount(investment / customers) as cac,
    amount(revenue * margin_rate / customers) as ltv,
    payback,
    case
        when $view = 'logo' then ratio(cell_customers::numeric / nullif(step_0_customers, 0))
        else ratio(cell_revenue / nullif(step_0_revenue, 0))
    end as "cell.pct",
    case when $view = 'logo' then cell_customers else amount(cell_revenue * margin_rate) end as "cell.absolute",
    case when $view = 'logo' then amount(cell_revenue * margin_rate) else cell_customers end as "cell.complementary",
    case when step > 0 then amount(cell_repeat_revenue) end as "cell.repurchaseRevenue"
from figures
order by cohort_on, break_key is null, customers desc, break_key, store_no, step
