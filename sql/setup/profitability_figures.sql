-- All indicators: those of day_figures, and those that depend on a customer's previous order and so cannot be summed
-- over days.
-- Grain: one row per window. `windows`: as those of day_figures. Follows [D6], [D27].
create macro profitability_figures(windows) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    -- The first order of each returning customer in the window.
    returning_totals as (
        select periods.window_no, count(*) as customers
        from orders
        join periods on orders.ordered_on between periods.first_on and periods.last_on and orders.previous_on < periods.first_on
        group by periods.window_no
    ),
    -- Revenue in the window of the customers acquired in it.
    acquired_totals as (
        select
            periods.window_no,
            sum(orders.revenue) filter (where orders.first_strategy = 'acquisition') as acquisition_revenue,
            sum(orders.revenue) filter (where orders.first_strategy = 'brand') as brand_revenue
        from orders
        join periods
            on orders.first_on between periods.first_on and periods.last_on
            -- Across time zones a later order may have an earlier day than the first.
            and orders.ordered_on between periods.first_on and periods.last_on
        where orders.first_strategy in ('acquisition', 'brand')
        group by periods.window_no
    ),
    monetization_totals as (
        select periods.window_no, count(distinct orders.customer_no) as recurring_customers
        from orders
        join periods on orders.ordered_on between periods.first_on and periods.last_on
        where orders.strategy = 'monetization' and orders.is_recurring
        group by periods.window_no
    ),
    totals as (
        select
            day_figures.*,
            organization.has_acquisition_classification,
            or_zero(returning_totals.customers) as recurring_customers,
            or_zero(acquired_totals.acquisition_revenue) * day_figures.margin_rate as acquisition_contribution,
            or_zero(acquired_totals.brand_revenue) * day_figures.margin_rate as brand_contribution,
            or_zero(monetization_totals.recurring_customers) as monetization_recurring_customers
        from day_figures(windows) as day_figures
        cross join organization
        left join returning_totals on returning_totals.window_no = day_figures.window_no
        left join acquired_totals on acquired_totals.window_no = day_figures.window_no
        left join monetization_totals on monetization_totals.window_no = day_figures.window_no
    )
    select
        *,
        new_customers + recurring_customers as customers,
        roi(acquisition_contribution, acquisition_investment) as acquisition_roi,
        roi(brand_contribution, brand_investment) as brand_roi
    from totals;

-- Decision events per interest event on the site, in percent.
-- Grain: one row per window with site events. `windows`: as those of day_figures.
create macro conversion_rates(windows) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    stages as (
        select
            periods.window_no,
            sum(site_events.event_count) filter (where list_contains(organization.interest_events, site_events.event_name)) as interest,
            sum(site_events.event_count) filter (where list_contains(organization.decision_events, site_events.event_name)) as decision
        from site_events
        cross join organization
        join periods on site_events.happened_on between periods.first_on and periods.last_on
        group by periods.window_no
    )
    select window_no, 100 * safe_divide(or_zero(decision), interest) as conversion_rate
    from stages;
