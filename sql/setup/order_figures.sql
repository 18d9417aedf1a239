-- The indicators that depend on a customer's previous order or on the window of the first one, and so cannot be summed
-- over days. Not yet rounded.

-- Orders with the days that decide: `acquired_on` and `branded_on` are the customer's first day, if an acquisition or a brand
-- campaign brought the first order; `is_monetized` are orders that returning customers made through monetization.
-- Grain: one row per order.
create macro dated_orders() as table
    select
        ordered_on,
        previous_on,
        case when first_strategy = 'acquisition' then first_on end as acquired_on,
        case when first_strategy = 'brand' then first_on end as branded_on,
        coalesce(strategy = 'monetization' and is_recurring, false) as is_monetized,
        previous_monetized_on,
        1 as orders,
        revenue
    from orders;

-- With a filter [D86]: returning customers and monetization are those of the orders that pass, contributions those of all orders of the
-- customers whose first order passes.
create macro filtered_dated_orders() as table
    select
        ordered_on,
        previous_on,
        null::date as acquired_on,
        null::date as branded_on,
        coalesce(strategy = 'monetization' and is_recurring, false) as is_monetized,
        previous_monetized_on,
        1 as orders,
        revenue
    from filtered_orders()
    union all
    select
        ordered_on,
        null,
        case when first_strategy = 'acquisition' then first_on end,
        case when first_strategy = 'brand' then first_on end,
        false,
        null,
        1,
        revenue
    from filtered_purchases();
create macro analysed_dated_orders() as table
    from query(unless_filtered('from dated_orders()', 'from filtered_dated_orders()'));

-- Grain: one row per window with an order. `windows`: the name of a relation of them. Follows [D6], [D27].
create macro order_figures(windows) as table
    with
    periods as not materialized (from query_table(windows)),
    sums as (
        select
            periods.window_no,
            -- The first order of each returning customer in the window.
            sum(case when dated.previous_on < periods.first_on then dated.orders end) as recurring_customers,
            -- Revenue in the window of the customers acquired in it. Across time zones a later order may have an earlier day
            -- than the first.
            sum(
                case when dated.acquired_on between periods.first_on and periods.last_on then dated.revenue end
            ) as acquisition_revenue,
            sum(case when dated.branded_on between periods.first_on and periods.last_on then dated.revenue end) as brand_revenue,
            -- The first of each customer's orders in the window that returning customers made through monetization.
            sum(
                case
                    when dated.is_monetized and coalesce(dated.previous_monetized_on < periods.first_on, true)
                        then dated.orders
                end
            ) as monetization_recurring_customers
        from analysed_dated_orders() as dated
        join periods on dated.ordered_on between periods.first_on and periods.last_on
        group by periods.window_no
    )
    select
        sums.window_no,
        or_zero(sums.recurring_customers) as recurring_customers,
        or_zero(sums.acquisition_revenue) * margin.margin_rate as acquisition_contribution,
        or_zero(sums.brand_revenue) * margin.margin_rate as brand_contribution,
        or_zero(sums.monetization_recurring_customers) as monetization_recurring_customers
    from sums
    cross join margin;
