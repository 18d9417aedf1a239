-- What paybacks are computed from: the spend of each day, the customers acquired on it, and their revenue up to each month
-- since [D26]. Spend and customers are repeated for every month, so that each month can be compared without the others.
-- Grain: one row per segment, day and month since, through the month of the last order. `segment`: 'all' or a strategy.
-- Key: segment, day_on, month_no
-- Kept for: analyses
-- Order: segment, day_on, month_no
-- Row group: 20480

with

segments as (

    select unnest(['all', 'acquisition', 'brand', 'monetization']) as segment

),

day_facts as (

    select first_on as day_on, strategy, customers, null as spend
    from daily_acquisitions

    union all

    select spent_on, strategy, null, spend
    from media_spend

),

days as (

    select
        segments.segment,
        day_facts.day_on,
        date_trunc('month', day_facts.day_on)::date as first_month,
        coalesce(sum(day_facts.customers), 0)::bigint as customers,
        coalesce(sum(day_facts.spend), 0)::decimal(38, 6) as spend
    from day_facts
    join segments on segments.segment = 'all' or segments.segment = day_facts.strategy
    group by segments.segment, day_facts.day_on

),

months as (

    select
        days.*,
        unnest(generate_series(
            0, greatest(coalesce(date_diff('month', days.first_month, organization.horizon_on), 0), 0)
        )) as month_no
    from days
    cross join organization

),

revenues as (

    select segments.segment, daily_cohorts.first_on as day_on, daily_cohorts.month_no, sum(daily_cohorts.revenue) as revenue
    from daily_cohorts
    join segments on segments.segment = 'all' or segments.segment = daily_cohorts.strategy
    group by segments.segment, daily_cohorts.first_on, daily_cohorts.month_no

)

select
    months.segment,
    months.day_on,
    months.first_month,
    months.month_no::integer as month_no,
    coalesce(
        sum(revenues.revenue) over (partition by months.segment, months.day_on order by months.month_no), 0
    )::decimal(38, 6) as revenue,
    months.customers,
    months.spend
from months
left join revenues
    on revenues.segment = months.segment
    and revenues.day_on = months.day_on
    and revenues.month_no = months.month_no
