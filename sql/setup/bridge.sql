-- The bridge between two periods: effects that add up to the difference of their figures [D53]. `windows`: the
-- name of a relation of (window_no, first_on, last_on); 1 is the later period of the answer, 2 the one that it is compared with.

create macro bridge_windows() as table
    select 1 as window_no, period_start() as first_on, period_end() as last_on
    union all
    select 2, coalesce(compare_start(), previous_start()), coalesce(compare_end(), previous_end());

-- Amounts as whole numbers of the last decimal, whose products and quotients are exact: 12 decimals of revenue, 18 of the
-- values of products. `proportion`: units × times / per, truncated; not computed as a product, which could overflow.
create macro trillionths(amount) as (amount::decimal(38, 6) * 1000000::decimal(7, 0))::hugeint * 1000000;
create macro of_trillionths(units) as units::decimal(38, 0) * 0.000000000001::decimal(12, 12);
create macro quintillionths(amount) as replace(amount::decimal(38, 18)::varchar, '.', '')::hugeint;
create macro of_quintillionths(units) as units::decimal(38, 0) * 0.000000000000000001::decimal(18, 18);
create macro proportion(units, times, per) as units // per * times + units % per * times // per;

-- The customers, orders and revenue of the new and the returning customers of each window [D6], and the revenue of orders
-- of neither: anonymous ones, those of customers whose first order has a later day, in another time zone, and with a filter those of
-- customers who came new in the window elsewhere [D86].
-- Grain: one row per window. A returning customer has exactly one order in the window whose previous day is before it.
create macro group_totals(windows) as table
    with
    periods as not materialized (from query_table(windows)),
    sums as (
        select
            periods.window_no,
            count(*) filter (where orders.acquired_on >= periods.first_on and orders.acquired_on <= periods.last_on) as new_orders,
            sum(orders.revenue) filter (
                where orders.acquired_on >= periods.first_on and orders.acquired_on <= periods.last_on
            ) as new_revenue,
            count(*) filter (where orders.previous_on < periods.first_on) as recurring_customers,
            count(*) filter (where orders.first_on < periods.first_on) as recurring_orders,
            sum(orders.revenue) filter (where orders.first_on < periods.first_on) as recurring_revenue,
            sum(orders.revenue) filter (
                where orders.first_on is null or orders.first_on > periods.last_on
                    or orders.first_on >= periods.first_on and orders.acquired_on is null
            ) as other_revenue
        from analysed_orders() as orders
        join periods on orders.ordered_on between periods.first_on and periods.last_on
        group by periods.window_no
    )
    select
        days.window_no,
        days.revenue,
        days.investment,
        days.contribution_profit,
        days.new_customers,
        or_zero(sums.new_orders) as new_orders,
        or_zero(sums.new_revenue) as new_revenue,
        or_zero(sums.recurring_customers) as recurring_customers,
        or_zero(sums.recurring_orders) as recurring_orders,
        or_zero(sums.recurring_revenue) as recurring_revenue,
        or_zero(sums.other_revenue) as other_revenue
    from day_figures(windows) as days
    left join sums on sums.window_no = days.window_no;

-- The effects of a group's number of customers, orders per customer and revenue per order: their Shapley values, each the
-- average difference that the factor makes over the orders in which the three can change. `revenues`: the group's revenue
-- in trillionths, with each factor as before or as after: `frequency` has only the frequency of after, `not_frequency` all
-- but it. The whole difference is that of the customers if one side has none.
create macro group_revenues(customers_0, orders_0, revenue_0, customers_1, orders_1, revenue_1) as {
    is_comparable: customers_0 > 0 and customers_1 > 0,
    before: revenue_0,
    customers: proportion(revenue_0, customers_1, customers_0),
    frequency: proportion(revenue_0, customers_0 * orders_1, customers_1 * orders_0),
    ticket: proportion(revenue_1, orders_0, orders_1),
    not_customers: proportion(revenue_1, customers_0, customers_1),
    not_frequency: proportion(revenue_1, customers_1 * orders_0, customers_0 * orders_1),
    not_ticket: proportion(revenue_0, orders_1, orders_0),
    after: revenue_1
};
create macro shapley(before, own, one_other, both_of_one, the_other, both_of_other, others, after) as
    (2 * (own - before) + both_of_one - one_other + both_of_other - the_other + 2 * (after - others)) // 6;
create macro group_effects(revenues) as
    case
        when revenues.is_comparable then [
            shapley(
                revenues.before, revenues.customers,
                revenues.frequency, revenues.not_ticket,
                revenues.ticket, revenues.not_frequency,
                revenues.not_customers, revenues.after
            ),
            shapley(
                revenues.before, revenues.frequency,
                revenues.customers, revenues.not_ticket,
                revenues.ticket, revenues.not_customers,
                revenues.not_frequency, revenues.after
            ),
            shapley(
                revenues.before, revenues.ticket,
                revenues.customers, revenues.not_frequency,
                revenues.frequency, revenues.not_customers,
                revenues.not_ticket, revenues.after
            )
        ]
        else [revenues.after - revenues.before, 0::hugeint, 0::hugeint]
    end;

-- Revenue and contribution before and after, and their effects, before rounding.
-- Grain: one row. `effects`: of the new customers' number, frequency and ticket, the returning customers', and of other
-- revenue. `investment`: the change of the spend.
create macro revenue_bridge(windows) as table
    with
    totals as materialized (from group_totals(windows)),
    revenues as (
        select
            before.revenue as revenue_before,
            after.revenue as revenue_after,
            before.contribution_profit as profit_before,
            after.contribution_profit as profit_after,
            after.investment - before.investment as investment,
            after.other_revenue - before.other_revenue as other,
            group_revenues(
                before.new_customers::hugeint, before.new_orders::hugeint, trillionths(before.new_revenue),
                after.new_customers::hugeint, after.new_orders::hugeint, trillionths(after.new_revenue)
            ) as of_new,
            group_revenues(
                before.recurring_customers::hugeint, before.recurring_orders::hugeint, trillionths(before.recurring_revenue),
                after.recurring_customers::hugeint, after.recurring_orders::hugeint, trillionths(after.recurring_revenue)
            ) as of_recurring
        from totals as after
        join totals as before on before.window_no = 2
        where after.window_no = 1
    )
    select
        revenue_before,
        revenue_after,
        profit_before,
        profit_after,
        investment,
        list_transform(
            list_concat(group_effects(of_new), group_effects(of_recurring), [trillionths(other)]),
            lambda effect: of_trillionths(effect)
        ) as effects
    from revenues;

-- The margin of products before and after, and its effects, before rounding: of the units kept that have a sale value and
-- a cost [D33]. A product that has no such unit on a side is not on it.
-- Grain: one row. `effects`: of volume, mix, price, cost, new and discontinued products.
create macro product_bridge(windows) as table
    with
    periods as not materialized (from query_table(windows)),
    product_sums as (
        select
            sum(product_sales.margin_units) filter (where periods.window_no = 2) as units_0,
            sum(product_sales.margin_value) filter (where periods.window_no = 2) as value_0,
            sum(product_sales.margin_cost) filter (where periods.window_no = 2) as cost_0,
            sum(product_sales.margin_units) filter (where periods.window_no = 1) as units_1,
            sum(product_sales.margin_value) filter (where periods.window_no = 1) as value_1,
            sum(product_sales.margin_cost) filter (where periods.window_no = 1) as cost_1
        from analysed_product_sales() as product_sales
        join periods on product_sales.sold_on between periods.first_on and periods.last_on
        group by product_sales.integration_id, product_sales.product_id
    ),
    sides as (
        select
            or_zero(units_0) > 0 as is_before,
            or_zero(units_1) > 0 as is_after,
            is_before and is_after as is_kept,
            units_0,
            units_1,
            quintillionths(value_0) as value_0,
            quintillionths(cost_0) as cost_0,
            quintillionths(value_1) as value_1,
            quintillionths(cost_1) as cost_1
        from product_sums
    ),
    -- Of the products on both sides: as before and as after, and the units of after at the value and cost of before.
    totals as (
        select
            or_zero(sum(units_0) filter (where is_kept)) as units_0,
            or_zero(sum(units_1) filter (where is_kept)) as units_1,
            or_zero(sum(value_0 - cost_0) filter (where is_kept)) as margin_0,
            or_zero(sum(value_1) filter (where is_kept)) as value_1,
            or_zero(sum(cost_1) filter (where is_kept)) as cost_1,
            or_zero(sum(proportion(value_0, units_1, units_0)) filter (where is_kept)) as value_at_0,
            or_zero(sum(proportion(cost_0, units_1, units_0)) filter (where is_kept)) as cost_at_0,
            or_zero(sum(value_1 - cost_1) filter (where is_after and not is_before)) as margin_of_new,
            or_zero(sum(value_0 - cost_0) filter (where is_before and not is_after)) as margin_of_discontinued
        from sides
    )
    select
        of_quintillionths(margin_0 + margin_of_discontinued) as margin_before,
        of_quintillionths(value_1 - cost_1 + margin_of_new) as margin_after,
        list_transform(
            [
                or_zero(proportion(margin_0, units_1, units_0)) - margin_0,
                value_at_0 - cost_at_0 - or_zero(proportion(margin_0, units_1, units_0)),
                value_1 - value_at_0,
                cost_at_0 - cost_1,
                margin_of_new,
                -margin_of_discontinued
            ],
            lambda effect: of_quintillionths(effect)
        ) as effects
    from totals;

-- What drives the difference of the revenue, by a value of its orders or lines, before rounding.
-- Grain: one row per value with an order or a line in either window. `source` distinguishes values with the same key.
create macro drivers_by_channel(windows) as table
    with
    periods as not materialized (from query_table(windows))
    select
        null::varchar as source,
        daily_orders.channel as "key",
        channel_label(daily_orders.channel) as label,
        or_zero(sum(daily_orders.revenue) filter (where periods.window_no = 2)) as revenue_before,
        or_zero(sum(daily_orders.revenue) filter (where periods.window_no = 1)) as revenue_after
    from analysed_daily_orders() as daily_orders
    join periods on daily_orders.ordered_on between periods.first_on and periods.last_on
    group by daily_orders.channel;

create macro drivers_by_campaign(windows) as table
    with
    periods as not materialized (from query_table(windows)),
    sums as (
        select
            daily_orders.campaign_connector as source,
            daily_orders.campaign_key,
            or_zero(sum(daily_orders.revenue) filter (where periods.window_no = 2)) as revenue_before,
            or_zero(sum(daily_orders.revenue) filter (where periods.window_no = 1)) as revenue_after
        from analysed_daily_orders() as daily_orders
        join periods on daily_orders.ordered_on between periods.first_on and periods.last_on
        group by daily_orders.campaign_connector, daily_orders.campaign_key
    )
    select
        sums.source,
        coalesce(campaigns.campaign_id, sums.campaign_key) as "key",
        coalesce(campaigns.campaign_name, sums.campaign_key) as label,
        sums.revenue_before,
        sums.revenue_after
    from sums
    left join campaigns on campaigns.connector = sums.source and campaigns.campaign_key = sums.campaign_key;

-- The sale value of the lines of each product in the counted orders, returned or not.
create macro product_revenues(windows) as table
    with
    periods as not materialized (from query_table(windows)),
    sold_lines as (
        select
            periods.window_no,
            order_lines.integration_id,
            order_lines.product_id,
            part_of(order_lines."value", order_lines.sold_units, order_lines.quantity) as revenue
        from analysed_lines() as order_lines
        join periods on order_lines.ordered_on between periods.first_on and periods.last_on
        where order_lines.is_counted and order_lines.product_id is not null and order_lines.sold_units > 0
    )
    select
        integration_id,
        product_id,
        or_zero(sum(revenue) filter (where window_no = 2)) as revenue_before,
        or_zero(sum(revenue) filter (where window_no = 1)) as revenue_after
    from sold_lines
    group by integration_id, product_id;

-- Revenue of orders that is in none of those sale values: shipping, tax, lines without a product.
create macro with_remainder(drivers, windows) as table
    with
    totals as (
        select
            or_zero(sum(revenue) filter (where window_no = 2)) as revenue_before,
            or_zero(sum(revenue) filter (where window_no = 1)) as revenue_after
        from day_figures(windows)
    ),
    remainders as (
        select
            any_value(totals.revenue_before) - or_zero(sum(drivers.revenue_before)) as revenue_before,
            any_value(totals.revenue_after) - or_zero(sum(drivers.revenue_after)) as revenue_after
        from totals
        left join query_table(drivers) as drivers on true
    )
    from query_table(drivers)
    union all by name
    select null as source, null as "key", null as label, revenue_before, revenue_after
    from remainders
    -- A sum of shares of lines that are truncated may differ from a whole one in its last decimals.
    where round(revenue_before, 10) <> 0 or round(revenue_after, 10) <> 0;

create macro drivers_by_product(windows) as table
    with
    drivers as materialized (
        select
            revenues.integration_id as source,
            revenues.product_id as "key",
            coalesce(products.name, product_names.name) as label,
            revenues.revenue_before,
            revenues.revenue_after
        from product_revenues(windows) as revenues
        left join products using (integration_id, product_id)
        left join product_names using (integration_id, product_id)
    )
    from with_remainder('drivers', windows);

-- Products without a category are one value in all stores.
create macro drivers_by_category(windows) as table
    with
    drivers as materialized (
        select
            case when products.category_id is not null then revenues.integration_id end as source,
            coalesce(products.category_id, 'uncategorized') as "key",
            any_value(categories.name) as label,
            sum(revenues.revenue_before) as revenue_before,
            sum(revenues.revenue_after) as revenue_after
        from product_revenues(windows) as revenues
        left join products using (integration_id, product_id)
        left join categories
            on categories.integration_id = products.integration_id and categories.category_id = products.category_id
        group by all
    )
    from with_remainder('drivers', windows);

create macro no_drivers() as table
    select
        null::varchar as source,
        null::varchar as "key",
        null::varchar as label,
        0::decimal(38, 2) as revenue_before,
        0::decimal(38, 2) as revenue_after
    where false;
