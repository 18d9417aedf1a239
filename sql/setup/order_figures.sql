-- The indicators that depend on a customer's previous order or on the window of the first one, and so cannot be summed
-- over days. Not yet rounded.
-- Grain: one row per window with an order. `windows`: the name of a relation of them. Follows [D6], [D27].
create macro order_figures(windows) as table
    with
    periods as not materialized (from query_table(windows)),
    sums as (
        select
            periods.window_no,
            -- The first order of each returning customer in the window.
            count_if(orders.previous_on < periods.first_on) as recurring_customers,
            -- Revenue in the window of the customers acquired in it. Across time zones a later order may have an earlier day
            -- than the first.
            sum(
                case
                    when orders.first_on between periods.first_on and periods.last_on
                        and orders.first_strategy = 'acquisition'
                        then orders.revenue
                end
            ) as acquisition_revenue,
            sum(
                case
                    when orders.first_on between periods.first_on and periods.last_on
                        and orders.first_strategy = 'brand'
                        then orders.revenue
                end
            ) as brand_revenue,
            -- The first of each customer's orders in the window that returning customers made through monetization.
            count_if(
                orders.strategy = 'monetization'
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
