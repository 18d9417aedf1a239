-- What paybacks are computed from: the spend of each day, the customers acquired on it, and their revenue up to each month since [D26].
-- A derivation reads this macro, too: once for all stores and channels.
-- Grain: one row per segment, day and month since, as of daily_paybacks. The parameters are names of relations: `acquisition_rows` like
-- daily_acquisitions, `spend_rows` like media_spend, `cohort_rows` like daily_cohorts, and `organization_rows`, which is `organization`.
create macro payback_sums(acquisition_rows, spend_rows, cohort_rows, organization_rows) as table
    with
    segments as (
        select unnest(['all', 'acquisition', 'brand', 'monetization']) as segment
    ),
    day_facts as (
        select first_on as day_on, strategy, customers, null as spend
        from query_table(acquisition_rows)
        union all
        select spent_on, strategy, null, spend
        from query_table(spend_rows)
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
        cross join query_table(organization_rows) as organization
    ),
    revenues as (
        select segments.segment, cohorts.first_on as day_on, cohorts.month_no, sum(cohorts.revenue) as revenue
        from query_table(cohort_rows) as cohorts
        join segments on segments.segment = 'all' or segments.segment = cohorts.strategy
        group by segments.segment, cohorts.first_on, cohorts.month_no
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
        and revenues.month_no = months.month_no;
