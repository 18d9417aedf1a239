-- The figures of a period by one attribute of its orders, or by two [D89].
-- Parameters: start_date, end_date, compare, by, integration_id, channel.

-- The attributes. Only declared names: they become a part of the text of a query.
create macro broken_down_by() as
    one_or_two(
        'by',
        list_transform(
            string_split(coalesce(optional_parameter('by'), 'channel'), ','),
            lambda name: if(list_contains(attributes_of_orders(), name), name, unknown_choice('by', name))
        )
    );

-- The period (1) and the one that it is compared with (2), if there is one and it begins after year 1.
create macro breakdown_windows() as table
    select window_no, first_on, last_on
    from period_windows()
    where window_no = 1 or first_on >= date '0001-01-01';

-- The orders of the period (1) and of the one that it is compared with (2), each with its values.
-- Grain: one row per window and order. `break_key`, `source`: see `named_values.sql`.
create macro valued_orders() as table
    with
    in_windows as (
        select
            orders.*,
            windows.window_no,
            customer_group_in(orders.customer_no, orders.first_on, windows) as customer_group
        from orders
        join breakdown_windows() as windows on orders.ordered_on between windows.first_on and windows.last_on
        where passes_filters(orders.integration_id, orders.channel)
    )
    from query(
        'select window_no, integration_id, order_id, revenue, discount, is_first, is_recurring, '
        || columns_of(broken_down_by()) || ' from in_windows'
    );

-- The figures of each value, not yet rounded. `lines`: those of the statement up to `contribution2` that rules and records say, with
-- refunds on the order, without expenses [D74].
-- Grain: one row per window and value that has an order in it. `unknown_items`: items of which something is unknown.
create macro breakdown_figures() as table
    with
    valued as materialized (from valued_orders()),
    value_numbers as materialized (
        select *, row_number() over () as value_no
        from (select distinct window_no, break_key, source from valued)
    ),
    numbered as materialized (
        select valued.*, value_numbers.value_no
        from valued
        join value_numbers
            on value_numbers.window_no = valued.window_no
            and is_same(value_numbers.break_key, valued.break_key)
            and is_same(value_numbers.source, valued.source)
    ),
    sums as (
        select
            value_no,
            count(*) as orders,
            count(*) filter (where is_first) as new_customers,
            count(*) filter (where is_recurring) as recurring_orders,
            sum(revenue) as revenue,
            sum(discount) as discount
        from numbered
        group by value_no
    ),
    -- The items that expenses make known of the orders of a day; with a filter they make nothing known.
    known_items as materialized (
        select spent_on, integration_id, list_sort(list_distinct(list(item))) as items
        from (
            select expenses.spent_on, expenses.item, stores.integration_id
            from daily_expenses as expenses
            join integrations as stores
                on stores.kind = 'store' and coalesce(expenses.integration_id = stores.integration_id, true)
            where not is_filtered()
        )
        group by spent_on, integration_id
    ),
    -- Orders that neither differ here nor in the rules that hold are one row.
    facts as materialized (
        select
            row_number() over () as fact_no,
            numbered.value_no,
            profit_facts.integration_id,
            spans.first_on as ordered_on,
            case when distinguished.channels then profit_facts.channel end as channel,
            case when distinguished.payment_methods then profit_facts.payment_methods end as payment_methods,
            profit_facts.is_sale,
            profit_facts.has_fee,
            coalesce(known_items.items, []) as known_items,
            count(*) as facts,
            sum(columns(
                '^(gift_cards|refunds|net_revenue|sale_value|tax|shipping|fee|re.*ed_cost|uncosted_value)$'
            )),
            sum(profit_facts.revenue) as revenue,
            sum(columns('units$|^refunds_above_zero$'))::bigint
        from numbered
        join profit_facts
            on profit_facts.integration_id = numbered.integration_id and profit_facts.order_id = numbered.order_id
        join rule_spans('cost_rules') as spans on profit_facts.ordered_on between spans.first_on and spans.last_on
        cross join distinguished('cost_rules') as distinguished
        left join known_items
            on known_items.spent_on = profit_facts.ordered_on and known_items.integration_id = profit_facts.integration_id
        group by all
    ),
    amounts as (
        select
            facts.value_no,
            amounts.line,
            coalesce(sum(amounts.amount) filter (where amounts.measure = 'amount'), 0) as amount,
            bool_or(
                amounts.measure in ('unknown', 'unknown back') and not list_contains(facts.known_items, amounts.line)
            ) as is_unknown
        from profit_amounts('facts', 'cost_rules') as amounts
        join facts on facts.fact_no = amounts.fact_no
        group by facts.value_no, amounts.line
    ),
    costs as (
        select
            amounts.value_no,
            map(list(amounts.line), list(amounts.amount)) as lines,
            coalesce(bool_or(amounts.is_unknown and amounts.line = 'goods'), false) as has_unknown_goods,
            coalesce(
                list(amounts.line order by list.line_no) filter (where amounts.is_unknown), []
            ) as unknown_items
        from amounts
        join profit_line_list() as list on list.line = amounts.line
        group by amounts.value_no
    )
    select value_numbers.* exclude (value_no), sums.* exclude (value_no), costs.* exclude (value_no)
    from value_numbers
    join sums on sums.value_no = value_numbers.value_no
    join costs on costs.value_no = value_numbers.value_no;

-- The figures of all orders together, of `figures`, the name of a relation like `breakdown_figures()`.
-- Grain: one row per window. `contribution2` is the sum of its lines as rounded; null where a unit has no cost.
create macro breakdown_totals(figures) as table
    with
    line_sums as (
        select window_no, line, sum(amount) as amount
        from (
            select window_no, unnest(map_keys(lines)) as line, unnest(map_values(lines)) as amount
            from query_table(figures)
        )
        group by window_no, line
    ),
    contributions as (
        select window_no, sum(amount) as exact, sum(rounded_sum(amount)) as amount
        from line_sums
        group by window_no
    ),
    sums as (
        select
            window_no,
            sum(orders)::bigint as orders,
            sum(new_customers)::bigint as new_customers,
            sum(recurring_orders)::bigint as recurring_orders,
            sum(revenue) as revenue,
            sum(discount) as discount,
            bool_or(has_unknown_goods) as has_unknown_goods
        from query_table(figures)
        group by window_no
    )
    select
        windows.window_no,
        or_zero(sums.orders) as orders,
        or_zero(sums.new_customers) as new_customers,
        or_zero(sums.recurring_orders) as recurring_orders,
        or_zero(sums.revenue) as revenue,
        case when sums.orders is null then 0 else sums.discount end as discount,
        case when sums.orders is null then 0 when not sums.has_unknown_goods then contributions.exact end as exact_contribution2,
        case when sums.orders is null then 0 when not sums.has_unknown_goods then contributions.amount end as contribution2
    from breakdown_windows() as windows
    left join sums on sums.window_no = windows.window_no
    left join contributions on contributions.window_no = windows.window_no;

-- What rounding leaves over of a total goes to the largest row of the window, the first of equals.
create macro row_settled(rounded_figure, total, window_no, place) as
    rounded_figure + case
        when row_number() over (partition by window_no order by abs(rounded_figure) desc nulls last, place) = 1
            then coalesce(total - sum(rounded_figure) over (partition by window_no), 0)
        else 0
    end;

-- The values with an order in either period, in the order of the answer: by revenue as rounded, without a value last.
-- Grain: one row per value. `shown_keys`: as the answer has them.
create macro breakdown_values(figures) as table
    with
    revenues as (
        select break_key, source, rounded_sum(or_zero(sum(revenue) filter (where window_no = 1))) as revenue
        from query_table(figures)
        group by break_key, source
    )
    select
        * exclude (revenue, lacks_spend),
        row_number() over (
            order by
                lacks_value(break_key),
                revenue desc,
                shown_keys[1] nulls last,
                shown_keys[2] nulls last,
                source,
                break_key
        ) as place
    from named_rows('revenues', broken_down_by());

-- The rows of the answer.
-- Grain: one row per value and window. Amounts are rounded and add up to the total; `exact_…` are not rounded.
create macro breakdown_rows() as table
    with
    figures as materialized (
        select
            *,
            case when not has_unknown_goods then list_sum(map_values(lines)) end as contribution2
        from breakdown_figures()
    ),
    in_windows as (
        select
            row_values.*,
            windows.window_no,
            or_zero(figures.orders) as orders,
            or_zero(figures.new_customers) as new_customers,
            or_zero(figures.recurring_orders) as recurring_orders,
            or_zero(figures.revenue) as exact_revenue,
            case when figures.orders is null then 0 else figures.discount end as exact_discount,
            case when figures.orders is null then 0 else figures.contribution2 end as exact_contribution2,
            rounded_sum(or_zero(figures.revenue)) as revenue,
            case when figures.orders is null then 0 else rounded_sum(figures.discount) end as discount,
            case when figures.orders is null then 0 else rounded_sum(figures.contribution2) end as contribution2,
            coalesce(figures.unknown_items, []) as unknown_items
        from breakdown_values('figures') as row_values
        cross join breakdown_windows() as windows
        left join figures
            on figures.window_no = windows.window_no
            and is_same(figures.break_key, row_values.break_key)
            and is_same(figures.source, row_values.source)
    )
    select
        in_windows.* replace (
            row_settled(in_windows.revenue, rounded_sum(totals.revenue), in_windows.window_no, in_windows.place) as revenue,
            row_settled(in_windows.discount, rounded_sum(totals.discount), in_windows.window_no, in_windows.place) as discount,
            row_settled(in_windows.contribution2, totals.contribution2, in_windows.window_no, in_windows.place) as contribution2
        ),
        totals.revenue as total_revenue
    from in_windows
    join breakdown_totals('figures') as totals on totals.window_no = in_windows.window_no;

-- Figures as an answer has them.
create macro breakdown_figures_of(figures) as {
    'revenue': figures.revenue::double,
    'orders': figures.orders,
    'newCustomers': figures.new_customers,
    'recurringOrders': figures.recurring_orders,
    'averageTicket': average(or_zero(safe_divide(figures.exact_revenue, figures.orders))),
    'discount': figures.discount::double,
    'contribution2': figures.contribution2::double
};
-- How they differ from those of the period compared with.
create macro breakdown_changes(figures, previous) as {
    'revenue': percentage(change(figures.exact_revenue, previous.exact_revenue)),
    'orders': percentage(change(figures.orders, previous.orders)),
    'newCustomers': percentage(change(figures.new_customers, previous.new_customers)),
    'recurringOrders': percentage(change(figures.recurring_orders, previous.recurring_orders)),
    'averageTicket': percentage(change(
        or_zero(safe_divide(figures.exact_revenue, figures.orders)), safe_divide(previous.exact_revenue, previous.orders)
    )),
    'discount': percentage(change(figures.exact_discount, previous.exact_discount)),
    'contribution2': percentage(
        change(figures.exact_contribution2, case when previous.exact_contribution2 > 0 then previous.exact_contribution2 end)
    )
};

-- What is not known of the costs of the orders of a period.
-- Grain: one row per item of which something is not known.
create macro missing_of_orders() as table
    with
    windows as materialized (

        select
            1 as window_no,
            coalesce(period_start(), min(ordered_on)) as first_on,
            coalesce(period_end(), max(ordered_on)) as last_on
        from daily_profit_facts
        where passes_filters(integration_id, channel)

    ),

    -- With a filter expenses make nothing known.
    day_amounts as (from query(unless_filtered('from daily_profit_amounts', 'from amounts_of_orders()'))),

    window_sums as materialized (from profit_sums('windows', 'day_amounts', 'order')),

    knowledge as (from profit_knowledge('windows', 'window_sums'))

    from missing_costs('windows', 'knowledge', 'order');
