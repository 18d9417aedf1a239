-- Retention by cohort: what the customers of each first-purchase month, quarter or year bought since, and what they
-- cost.
-- Grain: one row per cohort, and with break_by per value; `months` has a cell per step, complete up to the horizon.
-- Parameters: start_date, end_date (of first orders, inclusive; null for the whole history), view (revenue, logo),
-- group_by (month, quarter, year), break_by (null without a breakdown).
-- Follows [D6], [D7], [D26], [D30]. Rows by product or category overlap: a first purchase with several is in each.

with

-- Cohorts and their active cells come from the daily rollups where these can be summed, otherwise from the customers.
-- One of the two sources is empty.
entries as (

    from cohort_entries()

),

row_customers as (

    from rollup_cohorts()

    union all

    select cohort_on, source, break_key, count(*), count(*) filter (where has_repurchased)
    from entries
    group by all

),

active_cells as (

    from rollup_cohort_cells()

    union all

    select
        entries.cohort_on,
        entries.source,
        entries.break_key,
        customer_steps.step_no,
        count(*),
        sum(customer_steps.revenue),
        sum(customer_steps.direct_revenue),
        sum(customer_steps.repeat_revenue)
    from customer_steps() as customer_steps
    join entries on entries.customer_no = customer_steps.customer_no
    group by all

),

row_revenues as (

    select
        cohort_on,
        source,
        break_key,
        sum(revenue) as revenue,
        sum(direct_revenue) as direct_revenue,
        sum(revenue) filter (where step_no = 0) as step_0_revenue,
        (sum(customers) filter (where step_no = 0))::bigint as step_0_customers
    from active_cells
    group by all

),

row_totals as (

    select row_customers.*, row_revenues.* exclude (cohort_on, source, break_key)
    from row_customers
    join row_revenues
        on row_revenues.cohort_on = row_customers.cohort_on
        and row_revenues.source is not distinct from row_customers.source
        and row_revenues.break_key is not distinct from row_customers.break_key

),

-- Every step up to that of the horizon, with or without purchases.
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
                'month', row_totals.cohort_on, date_trunc(group_by(), organization.horizon_on)::date
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
                when cohort_view() = 'logo' then {
                    pct: ratio(safe_divide(customers, step_0_customers)),
                    absolute: customers::double,
                    complementary: money(contribution),
                    repurchaseRevenue: case when step_no > 0 then money(repeat_revenue) end
                }
                else {
                    pct: ratio(safe_divide(revenue, step_0_revenue)),
                    absolute: money(contribution),
                    complementary: customers::double,
                    repurchaseRevenue: case when step_no > 0 then money(repeat_revenue) end
                }
            end
        ) order by step_no)) as months
    from cells
    group by all

),

-- Spend in the months of each cohort, per breakdown value: only channels and campaigns have spend.
spend_days as (

    select
        date_trunc(group_by(), spent_on)::date as cohort_on,
        breakdown_source(connector) as source,
        -- The channel of spend has the name of its connector [D15].
        breakdown_value(connector, campaign_key, null) as break_key,
        spend
    from media_spend
    where is_in_period(spent_on)

),

row_spend as (

    select cohort_on, source, break_key, sum(spend) as spend
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
    from (select distinct cohort_on from row_customers)

),

row_paybacks as (

    select date '1900-01-01' + window_no::int as cohort_on, break_source as source, break_key, months
    from paybacks(
        (select windows from cohort_windows),
        breakdown_dimension()
    )

),

figures as (

    select
        row_totals.*,
        row_totals.revenue * margin.margin_rate as contribution,
        row_totals.direct_revenue * margin.margin_rate as direct_contribution,
        row_totals.step_0_revenue * margin.margin_rate as step_0_contribution,
        margin.margin_rate,
        case when breakdown_has_spend() then or_zero(row_spend.spend) end as investment,
        cell_maps.months,
        case when breakdown_has_spend() then row_paybacks.months end as payback,
        case break_by()
            when 'origem' then channel_label(row_totals.break_key)
            when 'campanha' then coalesce(campaigns.campaign_name, row_totals.break_key)
            when 'cupom' then row_totals.break_key
            when 'produto' then coalesce(products.name, product_names.name)
            when 'categoria' then categories.name
        end as break_label,
        coalesce(campaigns.campaign_id, row_totals.break_key) as shown_key
    from row_totals
    cross join margin
    join cell_maps
        on cell_maps.cohort_on = row_totals.cohort_on
        and cell_maps.source is not distinct from row_totals.source
        and cell_maps.break_key is not distinct from row_totals.break_key
    left join row_spend
        on row_spend.cohort_on = row_totals.cohort_on
        and row_spend.source is not distinct from row_totals.source
        and row_spend.break_key is not distinct from row_totals.break_key
    left join row_paybacks
        on row_paybacks.cohort_on = row_totals.cohort_on
        and row_paybacks.source is not distinct from row_totals.source
        and row_paybacks.break_key is not distinct from row_totals.break_key
    left join campaigns
        on break_by() = 'campanha'
        and campaigns.connector = row_totals.source and campaigns.campaign_key = row_totals.break_key
    left join products
        on break_by() = 'produto'
        and products.integration_id = row_totals.source and products.product_id = row_totals.break_key
    left join categories
        on break_by() = 'categoria'
        and categories.integration_id = row_totals.source and categories.category_id = row_totals.break_key
    left join product_names
        on break_by() = 'produto'
        and product_names.integration_id = row_totals.source and product_names.product_id = row_totals.break_key

)

select
    cohort_on as "cohortMonth",
    shown_key as "breakKey",
    break_label as "breakLabel",
    case when cohort_view() = 'logo' then step_0_customers::double else money(step_0_contribution) end as "initialValue",
    money(investment) as "acquisitionInvestment",
    ratio(roi(step_0_contribution, investment)) as roi,
    customers as "firstPurchaseCustomers",
    repurchase_customers as "repurchaseCustomers",
    percentage(100 * safe_divide(repurchase_customers, customers)) as "repurchasePct",
    money(direct_revenue) as "directRevenue",
    money(direct_contribution) as "directMargin",
    money(revenue) as "totalRevenue",
    money(contribution) as "totalMargin",
    money(revenue - direct_revenue) as "additionalRevenue",
    money(contribution - direct_contribution) as "additionalMargin",
    money(investment) as investment,
    average(cac(investment, customers)) as cac,
    average(ltv(revenue, margin_rate, customers)) as ltv,
    months(payback) as payback,
    months
from figures
order by cohort_on, break_key is null, customers desc, break_key, source
