-- Retention by cohort: what the customers of each first-purchase month, quarter or year did since, and what they cost.
-- Grain: one row per cohort, and with break_by per value; `months` holds a cell per step, complete up to the horizon.
-- Parameters: start_date, end_date (of first orders, inclusive; null for the whole history), view (revenue, logo),
--   group_by (month, quarter, year), break_by (origem, campanha, cupom, produto, categoria; null for none).
-- Follows [D6], [D7], [D26], [D30]. Rows by product or category overlap: a first purchase with several enters each.

with

-- The customers whose first order lies in the period, once for each value they entered through.
entries as (

    select
        customers.customer_no,
        date_trunc(getvariable('p').group_by, customers.first_on)::date as cohort_on,
        null::varchar as source,
        case getvariable('p').break_by
            when 'origem' then customers.channel
            when 'campanha' then customers.campaign_key
            when 'cupom' then customers.coupon
        end as break_key
    from customers
    where customers.first_on between coalesce(period_start(), '-infinity'::date) and coalesce(period_end(), 'infinity'::date)
        and coalesce(getvariable('p').break_by, '') not in ('produto', 'categoria')

    union all

    select distinct
        customers.customer_no,
        date_trunc(getvariable('p').group_by, customers.first_on)::date,
        -- One id in two stores is two rows; to be in no category is the same everywhere.
        case
            when getvariable('p').break_by = 'produto' or products.category_id is not null then order_lines.integration_id
        end,
        case getvariable('p').break_by
            when 'produto' then order_lines.product_id
            else coalesce(products.category_id, 'uncategorized')
        end
    from customers
    join orders on orders.customer_no = customers.customer_no and not orders.is_recurring
    join order_lines on order_lines.integration_id = orders.integration_id and order_lines.order_id = orders.order_id
    left join products
        on products.integration_id = order_lines.integration_id and products.product_id = order_lines.product_id
    where customers.first_on between coalesce(period_start(), '-infinity'::date) and coalesce(period_end(), 'infinity'::date)
        and getvariable('p').break_by in ('produto', 'categoria')
        and order_lines.sold_units > 0
        and order_lines.product_id is not null

),

row_orders as (

    select
        entries.cohort_on,
        entries.source,
        entries.break_key,
        orders.customer_no,
        orders.is_recurring,
        orders.revenue,
        -- A customer's stores may keep different days: what came before the cohort's own step belongs to step 0.
        greatest(
            date_diff('month', entries.cohort_on, date_trunc(getvariable('p').group_by, orders.ordered_on)::date)
                // step_months(),
            0
        ) as step_no
    from entries
    join orders on orders.customer_no = entries.customer_no

),

row_totals as (

    select
        cohort_on,
        source,
        break_key,
        count(distinct customer_no) as customers,
        count(distinct customer_no) filter (where is_recurring) as repurchase_customers,
        sum(revenue) as revenue,
        or_zero(sum(revenue) filter (where not is_recurring)) as direct_revenue,
        or_zero(sum(revenue) filter (where step_no = 0)) as step_0_revenue,
        count(distinct customer_no) filter (where step_no = 0) as step_0_customers
    from row_orders
    group by all

),

active_cells as (

    select
        cohort_on,
        source,
        break_key,
        step_no,
        count(distinct customer_no) as customers,
        sum(revenue) as revenue,
        -- Of a first purchase in two stores that keep different days one part may lie in the next step: it is no repeat.
        sum(revenue) filter (where is_recurring) as repeat_revenue
    from row_orders
    group by all

),

-- Every step up to the one that holds the horizon, whether somebody bought or not.
cells as (

    select
        row_totals.cohort_on,
        row_totals.source,
        row_totals.break_key,
        step.step_no,
        row_totals.step_0_revenue,
        row_totals.step_0_customers,
        or_zero(active_cells.customers) as customers,
        or_zero(active_cells.revenue) as revenue,
        or_zero(active_cells.repeat_revenue) as repeat_revenue,
        or_zero(active_cells.revenue) * margin.margin_rate as contribution
    from row_totals
    cross join organization
    cross join margin
    cross join lateral (
        select unnest(generate_series(
            0,
            date_diff(
                'month', row_totals.cohort_on, date_trunc(getvariable('p').group_by, organization.horizon_on)::date
            ) // step_months()
        )) as step_no
    ) as step
    left join active_cells
        on active_cells.cohort_on = row_totals.cohort_on
        and active_cells.source is not distinct from row_totals.source
        and active_cells.break_key is not distinct from row_totals.break_key
        and active_cells.step_no = step.step_no

),

cell_maps as (

    select
        cohort_on,
        source,
        break_key,
        map_from_entries(list((
            step_no::varchar,
            case
                when getvariable('p').view = 'logo' then {
                    pct: ratio(per(customers, step_0_customers)),
                    absolute: customers::double,
                    complementary: money(contribution),
                    repurchaseRevenue: case when step_no > 0 then money(repeat_revenue) end
                }
                else {
                    pct: ratio(per(revenue, step_0_revenue)),
                    absolute: money(contribution),
                    complementary: customers::double,
                    repurchaseRevenue: case when step_no > 0 then money(repeat_revenue) end
                }
            end
        ) order by step_no)) as months
    from cells
    group by all

),

-- What was spent in the months of each cohort, on what the row stands for: only channels and campaigns have spend.
spend_days as (

    select
        date_trunc(getvariable('p').group_by, spent_on)::date as cohort_on,
        case getvariable('p').break_by when 'origem' then connector when 'campanha' then campaign_key end as break_key,
        spend
    from media_spend
    where spent_on between coalesce(period_start(), '-infinity'::date) and coalesce(period_end(), 'infinity'::date)

),

row_spend as (

    select cohort_on, break_key, sum(spend) as spend
    from spend_days
    group by all

),

cohort_windows as (

    select list({
        window_no: date_diff('day', date '1900-01-01', cohort_on),
        first_on: greatest(cohort_on, coalesce(period_start(), cohort_on)),
        last_on: least(
            last_day(cohort_on + to_months(step_months() - 1)),
            coalesce(period_end(), 'infinity'::date)
        )
    } order by cohort_on) as windows
    from (select distinct cohort_on from entries)

),

row_paybacks as (

    select date '1900-01-01' + window_no::int as cohort_on, break_key, months
    from paybacks(
        (select windows from cohort_windows),
        case getvariable('p').break_by when 'origem' then 'channel' when 'campanha' then 'campaign' end
    )

),

latest_names as (

    select order_lines.integration_id, order_lines.product_id,
        arg_max(order_lines.name, {sold_at: store.ordered_at, order_id: store.order_id, line_no: order_lines.line_no}) as name
    from order_lines
    join orders as store on store.integration_id = order_lines.integration_id and store.order_id = order_lines.order_id
    where getvariable('p').break_by = 'produto' and order_lines.product_id is not null
    group by all

),

figures as (

    select
        row_totals.*,
        row_totals.revenue * margin.margin_rate as contribution,
        row_totals.direct_revenue * margin.margin_rate as direct_contribution,
        row_totals.step_0_revenue * margin.margin_rate as step_0_contribution,
        margin.margin_rate,
        case
            when coalesce(getvariable('p').break_by, 'origem') in ('origem', 'campanha') then or_zero(row_spend.spend)
        end as investment,
        cell_maps.months,
        case
            when coalesce(getvariable('p').break_by, 'origem') in ('origem', 'campanha') then row_paybacks.months
        end as payback,
        case getvariable('p').break_by
            when 'origem' then channel_label(row_totals.break_key)
            when 'campanha' then coalesce(campaigns.campaign_name, row_totals.break_key)
            when 'cupom' then row_totals.break_key
            when 'produto' then coalesce(products.name, latest_names.name)
            when 'categoria' then categories.name
        end as break_label,
        case when getvariable('p').break_by = 'campanha' then coalesce(campaigns.campaign_id, row_totals.break_key)
            else row_totals.break_key end as shown_key
    from row_totals
    cross join margin
    join cell_maps
        on cell_maps.cohort_on = row_totals.cohort_on
        and cell_maps.source is not distinct from row_totals.source
        and cell_maps.break_key is not distinct from row_totals.break_key
    left join row_spend
        on row_spend.cohort_on = row_totals.cohort_on
        and row_spend.break_key is not distinct from row_totals.break_key
    left join row_paybacks
        on row_paybacks.cohort_on = row_totals.cohort_on
        and row_paybacks.break_key is not distinct from row_totals.break_key
    left join campaigns
        on getvariable('p').break_by = 'campanha' and campaigns.campaign_key = row_totals.break_key
    left join products
        on getvariable('p').break_by = 'produto'
        and products.integration_id = row_totals.source and products.product_id = row_totals.break_key
    left join categories
        on getvariable('p').break_by = 'categoria'
        and categories.integration_id = row_totals.source and categories.category_id = row_totals.break_key
    left join latest_names
        on latest_names.integration_id = row_totals.source and latest_names.product_id = row_totals.break_key

)

select
    cohort_on as "cohortMonth",
    shown_key as "breakKey",
    break_label as "breakLabel",
    case when getvariable('p').view = 'logo' then step_0_customers::double else money(step_0_contribution) end as "initialValue",
    money(investment) as "acquisitionInvestment",
    ratio(roi(step_0_contribution, investment)) as roi,
    customers as "firstPurchaseCustomers",
    repurchase_customers as "repurchaseCustomers",
    percentage(100 * per(repurchase_customers, customers)) as "repurchasePct",
    money(direct_revenue) as "directRevenue",
    money(direct_contribution) as "directMargin",
    money(revenue) as "totalRevenue",
    money(contribution) as "totalMargin",
    money(revenue - direct_revenue) as "additionalRevenue",
    money(contribution - direct_contribution) as "additionalMargin",
    money(investment) as investment,
    money(cac(investment, customers)) as cac,
    money(ltv(revenue, margin_rate, customers)) as ltv,
    months(payback) as payback,
    months
from figures
order by cohort_on, break_key is null, customers desc, break_key, source
