-- The indicators that depend on a customer's previous order or on the window of the first one, and so cannot be summed
-- over days. Not yet rounded.
-- Grain: one row per window with an order. `windows`: as those of day_figures. Follows [D6], [D27].
create macro order_figures(windows) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    sums as (
        select
            periods.window_no,
            -- The first order of each returning customer in the window.
            count(*) filter (where orders.previous_on < periods.first_on) as recurring_customers,
            -- Revenue in the window of the customers acquired in it. Across time zones a later order may have an earlier day
            -- than the first.
            sum(orders.revenue) filter (
                where orders.first_on between periods.first_on and periods.last_on
                    and orders.first_strategy = 'acquisition'
            ) as acquisition_revenue,
            sum(orders.revenue) filter (
                where orders.first_on between periods.first_on and periods.last_on
                    and orders.first_strategy = 'brand'
            ) as brand_revenue,
            -- The first of each customer's orders in the window that returning customers made through monetization.
            count(*) filter (
                where orders.strategy = 'monetization'
                    and orders.is_recurring
                    and coalesce(orders.previous_monetized_on < periods.first_on, true)
            ) as monetization_recurring_customers
        from orders
        join periods on orders.ordered_on between periods.first_on and periods.last_on
        group by periods.window_no
    )
    select
        sums.window_no,
        sums.recurring_customers,
        or_zero(sums.acquisition_revenue) * margin.margin_rate as acquisition_contribution,
        or_zero(sums.brand_revenue) * margin.margin_rate as brand_contribution,
        sums.monetization_recurring_customers
    from sums
    cross join margin;
