-- Retention by first purchase and product, or category, of that purchase: a row per cohort and product or category,
-- with a list of its steps. A step is as long as a cohort: a month or a year.

with
    {start_date:Date} as first_day,
    {end_date:Date} as last_day,
    {break_by:String} as break_by,
    {group_by:String} as group_by,
    if(group_by = 'year', 12, 1) as step_months,
    (select margin_rate from organization) as margin,
    (select if(group_by = 'year', toStartOfYear(horizon_on), toStartOfMonth(horizon_on)) from organization) as horizon,

    entries as (
        select first_on, customer_no, product_no as break_no, has_repurchased
        from first_purchases
        where break_by = 'produto' and first_on between first_day and last_day
        union all
        select distinct first_on, customer_no, toUInt32(category_no) as break_no, has_repurchased
        from first_purchases
        join products using (product_no)
        where break_by = 'categoria' and first_on between first_day and last_day
    ),

    -- What each customer bought in each step.
    customer_steps as (
        select customer_no, month_no as step, revenue, direct_revenue, repeat_revenue
        from customer_months
        where group_by = 'month' and first_on between first_day and last_day
        union all
        select
            customer_no,
            toUInt16(intDiv(toMonth(first_on) - 1 + month_no, 12)) as step,
            sum(revenue),
            sum(direct_revenue),
            sum(repeat_revenue)
        from customer_months
        where group_by = 'year' and first_on between first_day and last_day
        group by customer_no, step
    ),

    row_totals as (
        select
            if(group_by = 'year', toStartOfYear(first_on), toStartOfMonth(first_on)) as cohort_on,
            break_no,
            count() as customers,
            countIf(has_repurchased) as repurchased
        from entries
        group by cohort_on, break_no
    ),

    -- Every step up to the horizon, with or without purchases.
    cells as (
        select
            cohort_on,
            break_no,
            arrayMap(no -> toUInt16(no), range(toUInt32(intDiv(dateDiff('month', cohort_on, horizon), step_months) + 1))) as all_steps,
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
                if(group_by = 'year', toStartOfYear(first_on), toStartOfMonth(first_on)) as cohort_on,
                break_no,
                step,
                count() as step_customers,
                sum(revenue) as step_revenue,
                sum(direct_revenue) as step_direct_revenue,
                sum(repeat_revenue) as step_repeat_revenue
            from entries
            join customer_steps using (customer_no)
            group by cohort_on, break_no, step
        )
        group by cohort_on, break_no
    ),

    keys as (
        select product_no as break_no, store_no, product_id as break_key, label
        from products
        where break_by = 'produto'
        union all
        select
            toUInt32(category_no) as break_no,
            if(any(rollup_id) = 'uncategorized', 0, max(store_no)) as store_no,
            any(rollup_id) as break_key,
            any(rollup_name) as label
        from categories
        where break_by = 'categoria' and rollup_no = category_no
        group by category_no
    )

select
    cohort_on as "cohortMonth",
    break_key as "breakKey",
    label as "breakLabel",
    step_0_customers as "initialValue",
    null as "acquisitionInvestment",
    null as "roi",
    customers as "firstPurchaseCustomers",
    repurchased as "repurchaseCustomers",
    money(100 * per(repurchased, customers)) as "repurchasePct",
    money(row_direct_revenue) as "directRevenue",
    money(row_direct_revenue * margin) as "directMargin",
    money(row_revenue) as "totalRevenue",
    money(row_revenue * margin) as "totalMargin",
    money(row_revenue - row_direct_revenue) as "additionalRevenue",
    money((row_revenue - row_direct_revenue) * margin) as "additionalMargin",
    null as "investment",
    null as "cac",
    money(per(row_revenue * margin, customers)) as "ltv",
    null as "payback",
    arrayMap(step -> ratio(per(active_customers[indexOf(active, step)], step_0_customers)), all_steps) as "cell.pct",
    arrayMap(step -> active_customers[indexOf(active, step)], all_steps) as "cell.absolute",
    arrayMap(step -> money(active_revenue[indexOf(active, step)] * margin), all_steps) as "cell.complementary",
    arrayMap(step -> if(step > 0, money(active_repeat_revenue[indexOf(active, step)]), null), all_steps)
        as "cell.repurchaseRevenue"
from row_totals
join cells using (cohort_on, break_no)
join keys using (break_no)
order by cohort_on, customers desc, break_key, store_no
