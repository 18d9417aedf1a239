-- What two states of the data differ in [D84]. The macros take the folders of their derived files: `earlier_marts` and `later_marts`, or
-- `between_marts`, that of the later landings under the earlier settings. In a shell:
--
--     set variable marts_before = 'data/marts/organization_id=…/state=…';
--     set variable marts_between = …; set variable marts_after = …;
--     .read sql/restatements/orders.sql
--
-- restatements/changes also reads the tables `before_figures`, `between_figures` and `after_figures`: the rows of restatements/figures,
-- each with `marts` set to one of the folders.

-- The length of the steps: 'month' or 'none', which is one step.
create macro step_length() as coalesce(optional_parameter('granularity'), 'month');

-- The days that are compared: the period; without one, whole months from the first to the last that has a counted order or spend in
-- either state.
create macro compared_days(earlier_marts, later_marts) as table
    select
        coalesce(period_start(), date_trunc('month', min(day_on))::date) as first_on,
        coalesce(period_end(), last_day(max(day_on))) as last_on
    from read_parquet(
        [earlier_marts || '/daily_totals.parquet', later_marts || '/daily_totals.parquet'], hive_partitioning = false
    )
    where is_covered;

-- These days in steps. `month_on` is null for the one step of 'none'.
-- Grain: one row per step.
create macro compared_steps(earlier_marts, later_marts) as table
    with
    covered as (from compared_days(earlier_marts, later_marts) where first_on is not null),
    steps as (
        select point_on as month_on, first_on, last_on
        from calendar_steps('covered', 'month')
        where step_length() = 'month'
        union all
        select null, first_on, last_on
        from covered
        where step_length() = 'none'
    )
    select row_number() over (order by first_on) as window_no, *
    from steps;

-- All orders of a state, counted or not. One without a day counts in no period.
-- Grain: one row per order.
create macro order_versions(marts_folder) as table
    select
        integration_id,
        order_id,
        connector,
        ordered_at,
        ordered_on,
        is_counted and ordered_on is not null as is_counted,
        status,
        revenue,
        landed_at,
        export_name
    from read_parquet(marts_folder || '/identified_orders.*parquet', hive_partitioning = false);

-- Why the revenue of an order differs; null if it does not. `was_there`, `is_there`: whether the states have it; `counted`: whether
-- it counts there.
create macro restatement_cause(
    was_there, is_there, counted_before, counted_after, day_before, day_after, revenue_before, revenue_after
) as
    case
        when not counted_before and not counted_after then null
        when not was_there then 'arrived'
        when not counted_before then 'counted'
        when not is_there then 'gone'
        when not counted_after then 'uncounted'
        when day_before <> day_after then 'moved'
        when revenue_before is distinct from revenue_after then 'value'
    end;

-- The orders that made the difference: those with a cause and a day in the period on a side where they count. `period_days`: the name
-- of a relation of one row, (first_on, last_on).
-- Grain: one row per order. `before` and `after` are its versions, null where it was not there; `change` is that of its counted revenue
-- in the period.
create macro restated_orders(earlier_marts, between_marts, period_days) as table
    with
    covered as materialized (from query_table(period_days)),
    -- Only orders that differ are looked up on days outside of the period, too.
    differing as materialized (
        select integration_id, order_id
        from (
            select orders.*
            from order_versions(earlier_marts) as orders
            join covered on orders.ordered_on between covered.first_on and covered.last_on
        ) as before
        full join (
            select orders.*
            from order_versions(between_marts) as orders
            join covered on orders.ordered_on between covered.first_on and covered.last_on
        ) as after using (integration_id, order_id)
        where row(before.is_counted, before.ordered_on, before.revenue)
            is distinct from row(after.is_counted, after.ordered_on, after.revenue)
    ),
    pairs as (
        select
            differing.integration_id,
            differing.order_id,
            before.order_id is not null as was_there,
            after.order_id is not null as is_there,
            coalesce(before.is_counted, false) as counted_before,
            coalesce(after.is_counted, false) as counted_after,
            before,
            after
        from differing
        left join (
            from order_versions(earlier_marts) as orders semi join differing using (integration_id, order_id)
        ) as before
            on before.integration_id = differing.integration_id and before.order_id = differing.order_id
        left join (
            from order_versions(between_marts) as orders semi join differing using (integration_id, order_id)
        ) as after
            on after.integration_id = differing.integration_id and after.order_id = differing.order_id
    ),
    caused as (
        select
            pairs.*,
            restatement_cause(
                was_there,
                is_there,
                counted_before,
                counted_after,
                before.ordered_on,
                after.ordered_on,
                before.revenue,
                after.revenue
            ) as cause,
            counted_before and before.ordered_on between covered.first_on and covered.last_on as has_loss,
            counted_after and after.ordered_on between covered.first_on and covered.last_on as has_gain
        from pairs
        cross join covered
    )
    select
        *,
        case when has_gain then or_zero(after.revenue) else 0 end - case when has_loss then or_zero(before.revenue) else 0 end as change
    from caused
    where cause is not null and (has_loss or has_gain);

-- The spend of a state, with the campaigns' names.
-- Grain: one row per campaign (connector and key) and day.
create macro spend_records(marts_folder) as table
    select
        spends.connector,
        spends.campaign_key,
        spends.spent_on,
        spends.spend,
        spends.landed_at,
        spends.export_name,
        campaigns.campaign_id,
        campaigns.campaign_name
    from read_parquet(marts_folder || '/media_spend.parquet', hive_partitioning = false) as spends
    left join read_parquet(marts_folder || '/campaigns.parquet', hive_partitioning = false) as campaigns
        on campaigns.connector = spends.connector and campaigns.campaign_key = spends.campaign_key;
