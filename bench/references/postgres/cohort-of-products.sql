-- Retention by first purchase and product, or category, of that purchase: a row per cohort and product or category, with
-- a list of its steps. A step is as long as a cohort: a month or a year.

with

entries as (

    select first_on, customer_no, product_no as break_no, has_repurchased
    from first_purchases
    where $break_by = 'produto' and first_on between $start_date::date and $end_date::date
    union all
    select distinct first_purchases.first_on, first_purchases.customer_no, products.category_no::int, first_purchases.has_repurchased
    from first_purchases
    join products using (product_no)
    where $break_by = 'categoria' and first_purchases.first_on between $start_date::date and $end_date::date

),

-- What each customer bought in each step.
customer_steps as (

    select customer_no, month_no::int as step, revenue, direct_revenue, repeat_revenue
    from customer_months
    where $group_by = 'month' and first_on between $start_date::date and $end_date::date
    union all
    select
        customer_no,
        (extract(month from first_on)::int - 1 + month_no) / 12,
        sum(revenue),
        sum(direct_revenue),
        sum(repeat_revenue)
    from customer_months
    where $group_by = 'year' and first_on between $start_date::date and $end_date::date
    group by 1, 2

),

row_totals as (

    select
        date_trunc($group_by, first_on)::date as cohort_on,
        break_no,
        count(*) as customers,
        count(*) filter (where has_repurchased) as repurchase_customers
    from entries
    group by 1, 2

),

active_cells as materialized (

    select
        date_trunc($group_by, entries.first_on)::date as cohort_on,
        entries.break_no,
        customer_steps.step,
        count(*) as customers,
        sum(customer_steps.revenue) as revenue,
        sum(customer_steps.direct_revenue) as direct_revenue,
        sum(customer_steps.repeat_revenue) as repeat_revenue
    from entries
    join customer_steps using (customer_no)
    group by 1, 2, 3

),

row_revenue as (

    select
        cohort_on,
        break_no,
        sum(revenue) as revenue,
        sum(direct_revenue) as direct_revenue,
        sum(revenue) filter (where step = 0) as step_0_revenue,
        sum(customers) filter (where step = 0) as step_0_customers
    from active_cells
    group by 1, 2

),

keys as (

    select product_no as break_no, store_no, product_id as break_key, label
    from products
    where $break_by = 'produto'
    union all
    select category_no, max(store_no) filter (where rollup_id <> 'uncategorized'), rollup_id, rollup_name
    from categories
    where $break_by = 'categoria' and rollup_no = category_no
    group by category_no, rollup_id, rollup_name

),

rows_with_revenue as (

    select
        row_totals.*,
        row_revenue.revenue,
        row_revenue.direct_revenue,
        row_revenue.step_0_revenue,
        row_revenue.step_0_customers,
        keys.store_no,
        keys.break_key,
        keys.label,
        organization.margin_rate,
        (
            12 * (extract(year from organization.horizon_on) - extract(year from row_totals.cohort_on))
            + extract(month from organization.horizon_on) - extract(month from row_totals.cohort_on)
        )::int / case $group_by when 'year' then 12 else 1 end as last_step
    from row_totals
    join row_revenue using (cohort_on, break_no)
    join keys using (break_no)
    cross join organization

),

-- Every step up to the horizon, with or without purchases, in order.
cell_lists as (

    select
        cohort_on,
        break_no,
        array_agg(ratio(customers / step_0_customers)) as pct,
        array_agg(customers) as absolute,
        array_agg(amount(revenue * margin_rate)) as complementary,
        array_agg(case when step > 0 then amount(repeat_revenue) end) as repurchase_revenue
    from (
        select
            rows.cohort_on,
            rows.break_no,
            step.no as step,
            rows.margin_rate,
            nullif(rows.step_0_customers, 0) as step_0_customers,
            coalesce(cells.customers, 0) as customers,
            coalesce(cells.revenue, 0) as revenue,
            coalesce(cells.repeat_revenue, 0) as repeat_revenue
        from rows_with_revenue as rows
        cross join lateral generate_series(0, rows.last_step) as step (no)
        left join active_cells as cells
            on cells.cohort_on = rows.cohort_on and cells.break_no = rows.break_no and cells.step = step.no
        order by rows.cohort_on, rows.break_no, step.no
    ) as ordered_cells
    group by cohort_on, break_no

)

select
    rows.cohort_on as "cohortMonth",
    rows.break_key as "breakKey",
    rows.label as "breakLabel",
    rows.step_0_customers as "initialValue",
    null::numeric as "acquisitionInvestment",
    null::numeric as roi,
    rows.customers as "firstPurchaseCustomers",
    rows.repurchase_customers as "repurchaseCustomers",
    amount(100.0 * rows.repurchase_customers / rows.customers) as "repurchasePct",
    amount(rows.direct_revenue) as "directRevenue",
    amount(rows.direct_revenue * rows.margin_rate) as "directMargin",
    amount(rows.revenue) as "totalRevenue",
    amount(rows.revenue * rows.margin_rate) as "totalMargin",
    amount(rows.revenue - rows.direct_revenue) as "additionalRevenue",
    amount((rows.revenue - rows.direct_revenue) * rows.margin_rate) as "additionalMargin",
    null::numeric as investment,
    null::numeric as cac,
    amount(rows.revenue * rows.margin_rate / rows.customers) as ltv,
    null::numeric as payback,
    cells.pct as "cell.pct",
    cells.absolute as "cell.absolute",
    cells.complementary as "cell.complementary",
    cells.repurchase_revenue as "cell.repurchaseRevenue"
from rows_with_revenue as rows
join cell_lists as cells using (cohort_on, break_no)
order by rows.cohort_on, rows.customers desc, rows.break_key, rows.store_no
