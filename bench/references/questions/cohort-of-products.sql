-- Retention by first purchase and product, or category, of that purchase: a row per cohort and product or category, with
-- a list of its steps. A step is as long as a cohort: a month or a year.

with

entries as (

    select date_trunc($group_by, first_on)::date as cohort_on, customer_no, product_no as break_no, has_repurchased
    from first_purchases
    where $break_by = 'produto' and first_on between $start_date and $end_date
    union all
    select distinct date_trunc($group_by, first_on)::date, customer_no, category_no::int, has_repurchased
    from first_purchases
    join products using (product_no)
    where $break_by = 'categoria' and first_on between $start_date and $end_date

),

-- What each customer bought in each step.
customer_steps as (

    select customer_no, month_no::int as step, revenue, direct_revenue, repeat_revenue
    from customer_months
    where $group_by = 'month' and first_on between $start_date and $end_date
    union all
    select customer_no, step, sum(revenue), sum(direct_revenue), sum(repeat_revenue)
    from (
        select *, whole(extract(month from first_on)::int - 1 + month_no, 12) as step
        from customer_months
        where $group_by = 'year' and first_on between $start_date and $end_date
    ) as months
    group by customer_no, step

),

keys as (

    select product_no as break_no, store_no, product_id as break_key, label
    from products
    where $break_by = 'produto'
    union all
    select category_no::int, max(store_no) filter (where rollup_id <> 'uncategorized'), rollup_id, rollup_name
    from categories
    where $break_by = 'categoria' and rollup_no = category_no
    group by category_no, rollup_id, rollup_name

),

row_totals as {{materialized}} (

    select *
    from (
        select cohort_on, break_no, count(*) as customers, count(*) filter (where has_repurchased) as repurchase_customers
        from entries
        group by cohort_on, break_no
    ) as counted
    join keys using (break_no)

),

active_cells as {{materialized}} (

    select
        cohort_on,
        break_no,
        step,
        count(*) as customers,
        sum(revenue) as revenue,
        sum(direct_revenue) as direct_revenue,
        sum(repeat_revenue) as repeat_revenue
    from entries
    join customer_steps using (customer_no)
    group by cohort_on, break_no, step

),

{{cells: cohort_on, break_no | whole(months_between(cohort_on, horizon_on), case $group_by when 'year' then 12 else 1 end)}}

select
    cohort_on as "cohortMonth",
    break_key as "breakKey",
    label as "breakLabel",
    null as "acquisitionInvestment",
    null as roi,
    {{cohort_columns}},
    null as investment,
    null as cac,
    amount(per(revenue * margin_rate, row_totals.customers)) as ltv,
    null as payback
from cells
join row_totals using (cohort_on, break_no)
order by cohort_on, row_totals.customers desc, break_key, store_no
