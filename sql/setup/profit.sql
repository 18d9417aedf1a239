-- The statement of profit [D74]: what remains of what customers paid, line by line, and what each line is made of.

-- Whether refunds count on their own day ('refund'), or on that of their order ('order'). `dating` is one of these.
create macro refunds_on() as coalesce(optional_parameter('refunds_on'), 'refund');
create macro counting_day(dating, ordered_on, counted_on) as
    case dating when 'refund' then counted_on when 'order' then ordered_on else unknown_choice('refunds_on', dating) end;

-- The store that a statement is of; null: the organization.
create macro profit_store() as optional_parameter('integration_id');

-- The lines, in their order; a total is the sum of the lines before it that are no totals. Those of no store are null in a
-- store's statement.
create macro profit_line_list() as table
    select
        unnest(lines) as line,
        generate_subscripts(lines, 1) as line_no,
        line in ('netRevenue', 'contribution1', 'contribution2', 'contribution3', 'profit') as is_total,
        line in ('media', 'contribution3', 'fixed', 'profit') as is_of_no_store
    from (
        select [
            'revenue', 'giftCards', 'refunds', 'salesTax', 'netRevenue', 'goods', 'contribution1', 'payment', 'shipping', 'fulfilment',
            'commission', 'other', 'contribution2', 'media', 'contribution3', 'fixed', 'profit'
        ] as lines
    );

-- Values of the lines, in the order of profit_line_list, by the lines' names.
create macro by_line(lines) as {
    'revenue': lines[1],
    'giftCards': lines[2],
    'refunds': lines[3],
    'salesTax': lines[4],
    'netRevenue': lines[5],
    'goods': lines[6],
    'contribution1': lines[7],
    'payment': lines[8],
    'shipping': lines[9],
    'fulfilment': lines[10],
    'commission': lines[11],
    'other': lines[12],
    'contribution2': lines[13],
    'media': lines[14],
    'contribution3': lines[15],
    'fixed': lines[16],
    'profit': lines[17]
};

-- The items whose costs rules and records say of each order, but for goods.
create macro order_cost_items() as table
    select unnest(['salesTax', 'payment', 'shipping', 'fulfilment', 'commission', 'other']) as item;

-- The rules in force. One for shipping that the margin takes from the orders holds only if they have any.
create macro rules_in_force() as table
    select cost_rules.*
    from cost_rules
    cross join margin
    where not of_margin or kind <> 'charged' or coalesce(margin.item_status.shipping = 'synced', false);

-- Whether a rule holds for an order, or for facts of orders that do not differ in this.
create macro rule_holds(rule, orders) as
    orders.ordered_on between rule.from_on and rule.until_on
    and (rule.integration_id is null or rule.integration_id = orders.integration_id)
    and (rule.channel is null or rule.channel = orders.channel)
    and (rule.payment_method is null or list_contains(orders.payment_methods, rule.payment_method));

-- A percentage of an amount: exact, with eight more decimals.
create macro percent_of(amount, percent) as amount * (percent * 0.01::decimal(2, 2))::decimal(9, 8);

-- The `part_no` of expenses: after all rules.
create macro expenses_part() as 2147483647;

-- What each row of facts is worth on each line, by part. `fact_rows`: the name of a relation with the columns of `daily_profit_facts` and
-- `fact_no`.
-- Grain: one row per fact, line, part and `measure`: `amount`; `unknown`, the orders of which a cost is not known, with their
-- revenue, or such units of goods; `unknown back`, those that were put back; `sold`, units that were sold. `part_no`: 0 from orders,
-- 1 from records, 1 + rule_no.
-- Follows [D70], [D71], [D72], [D73], [D74].
create macro profit_amounts(fact_rows) as table
    with
    facts as not materialized (from query_table(fact_rows)),
    held as materialized (
        select order_facts.fact_no, rules.rule_no, rules.item, rules.kind, rules.amount
        from facts as order_facts
        join rules_in_force() as rules on rule_holds(rules, order_facts)
        where case rules.item
                when 'goods' then order_facts.uncosted_units <> 0
                when 'salesTax' then order_facts.is_sale
                    or order_facts.refunds_above_zero > 0 and rules.kind in ('percentOfRevenue', 'percentOfItems')
                when 'payment' then order_facts.is_sale and not order_facts.has_fee
                when 'fixed' then false
                else order_facts.is_sale
            end
    ),
    taxed_stores as materialized (
        select distinct integration_id from daily_profit_facts where orders_with_tax > 0
    ),
    unknown_costs as (
        select facts.fact_no, items.item
        from facts
        cross join order_cost_items() as items
        anti join held on held.fact_no = facts.fact_no and held.item = items.item
        where facts.is_sale and not (items.item = 'payment' and facts.has_fee)
            and not (items.item = 'salesTax' and facts.integration_id in (from taxed_stores))
    ),
    rules_of_goods as (
        select fact_no, bool_or(kind <> 'none') as has_percent
        from held
        where item = 'goods'
        group by fact_no
    ),
    unknown_goods as (
        select
            facts.fact_no,
            case
                when rules_of_goods.fact_no is null then facts.uncosted_units
                when rules_of_goods.has_percent then facts.unvalued_units
                else 0
            end as units
        from facts
        left join rules_of_goods on rules_of_goods.fact_no = facts.fact_no
        where facts.uncosted_units <> 0
    )
    select
        fact_no, unnest(['revenue', 'giftCards', 'refunds']) as line, 0 as part_no, 'amount' as measure,
        unnest([revenue::decimal(38, 22), gift_cards::decimal(38, 22), refunds::decimal(38, 22)]) as amount,
        case when is_sale then facts else 0 end as orders, 0::bigint as units
    from facts
    union all
    select fact_no, 'salesTax', 0, 'amount', -tax, facts, 0
    from facts
    where integration_id in (from taxed_stores) and (is_sale or refunds_above_zero > 0)
    union all
    select fact_no, 'goods', 0, 'amount', -reported_cost, facts, reported_units
    from facts
    where reported_units <> 0
    union all
    select fact_no, 'goods', 1, 'amount', -recorded_cost, facts, recorded_units
    from facts
    where recorded_units <> 0
    union all
    select fact_no, 'goods', 0, 'sold', 0, facts, units
    from facts
    where is_sale and units <> 0
    union all
    select fact_no, 'payment', 1, 'amount', -fee, facts, 0
    from facts
    where is_sale and has_fee
    union all
    select
        held.fact_no, held.item, held.rule_no + 1, 'amount',
        -- Each cast by itself: the common type of the branches would have too few decimals.
        -case held.kind
            when 'percentOfRevenue' then percent_of(facts.net_revenue, held.amount)::decimal(38, 22)
            when 'percentOfItems'
                then percent_of(if(held.item = 'goods', facts.uncosted_value, facts.sale_value), held.amount)::decimal(38, 22)
            when 'perOrder' then (facts.facts * held.amount)::decimal(38, 22)
            when 'perUnit' then (facts.units * held.amount)::decimal(38, 22)
            when 'charged' then facts.shipping::decimal(38, 22)
            when 'none' then 0::decimal(38, 22)
        end,
        facts.facts, 0
    from held
    join facts on facts.fact_no = held.fact_no
    -- A percentage of units without a sale value says nothing of them.
    where held.item <> 'goods' or held.kind = 'none' or facts.uncosted_units <> facts.unvalued_units
    union all
    select unknown_costs.fact_no, unknown_costs.item, 0, 'unknown', facts.revenue, facts.facts, 0
    from unknown_costs
    join facts on facts.fact_no = unknown_costs.fact_no
    union all
    select
        unknown_goods.fact_no, 'goods', 0, case when facts.is_sale then 'unknown' else 'unknown back' end, 0, facts.facts,
        abs(unknown_goods.units)
    from unknown_goods
    join facts on facts.fact_no = unknown_goods.fact_no
    where unknown_goods.units <> 0;

-- The facts of the requested store or of all, each with the day that it counts on.
-- Grain: one row per group of `daily_profit_facts` without campaigns.
create macro day_facts(dating) as table
    select
        row_number() over () as fact_no,
        counting_day(dating, ordered_on, counted_on) as day_on,
        integration_id,
        ordered_on,
        is_sale,
        channel,
        payment_methods,
        has_fee,
        sum(facts)::bigint as facts,
        sum(columns('^(revenue|gift_cards|refunds|net_revenue|sale_value|tax|shipping|fee|re.*ed_cost|uncosted_value)$')),
        sum(columns('units$|^refunds_above_zero$'))::bigint
    from daily_profit_facts
    where passes('integration_id', integration_id)
    group by day_on, integration_id, ordered_on, is_sale, channel, payment_methods, has_fee;

-- The expenses of the requested store, or all.
create macro counted_expenses() as table
    select *
    from daily_expenses
    where passes('integration_id', integration_id);

-- The days of the statement: the period; without one those from the first to the last with an order, a refund, spend or an expense.
create macro profit_days() as table
    with
    days as (
        select counting_day(refunds_on(), ordered_on, counted_on) as day_on
        from daily_profit_facts
        where passes('integration_id', integration_id)
        union all
        select day_on from daily_totals where investment <> 0 and profit_store() is null
        union all
        select spent_on from counted_expenses() where amount <> 0
    )
    select coalesce(period_start(), min(day_on)) as first_on, coalesce(period_end(), max(day_on)) as last_on
    from days;

-- The days of the statement (1), and those that it is compared with (2), if any.
create macro statement_windows() as table
    select 1 as window_no, first_on, last_on
    from profit_days()
    union all
    select
        2, coalesce(compare_start(), start_before(period_start(), period_end())),
        coalesce(compare_end(), end_before(period_start(), period_end()))
    where period_start() is not null and (compare_start() is not null or compare() <> 'none');

-- What each day is worth on each line: that of the orders, expenses, spend and fixed costs.
-- Grain: one row per day, line, part and measure, as of profit_amounts; the part of expenses has the largest `part_no`.
create macro profit_by_day(periods, dating) as table
    with
    bounds as (
        select min(first_on) as first_on, max(last_on) as last_on from query_table(periods)
    ),
    request_facts as materialized (
        select facts.*
        from day_facts(dating) as facts
        semi join query_table(periods) as windows on facts.day_on between windows.first_on and windows.last_on
    ),
    -- An expense of an item makes it known of the orders of its day: those of its store, or of each.
    known_by_expense as (
        select distinct spent_on, item, stores.integration_id
        from counted_expenses() as expenses
        join integrations as stores
            on stores.kind = 'store' and coalesce(expenses.integration_id = stores.integration_id, true)
    ),
    of_orders as (
        select
            request_facts.day_on, amounts.line, amounts.part_no, amounts.measure, amounts.amount, amounts.orders, amounts.units
        from profit_amounts('request_facts') as amounts
        join request_facts on request_facts.fact_no = amounts.fact_no
        anti join known_by_expense as known
            on amounts.measure = 'unknown'
            and known.item = amounts.line
            and known.spent_on = request_facts.ordered_on
            and known.integration_id = request_facts.integration_id
    ),
    fixed_rules as (
        select * from cost_rules where item = 'fixed' and profit_store() is null
    ),
    fixed_days as (
        select
            days.day_on, fixed_rules.rule_no,
            -case fixed_rules.kind
                when 'perDay' then fixed_rules.amount
                when 'perMonth'
                    then day_part(fixed_rules.amount, day(days.day_on) - 1, day(last_day(days.day_on)))
                when 'none' then 0
            end as amount
        from fixed_rules
        join bounds on bounds.first_on is not null
        cross join lateral (
            select unnest(generate_series(
                greatest(bounds.first_on, fixed_rules.from_on)::timestamp, least(bounds.last_on, fixed_rules.until_on)::timestamp,
                interval 1 day
            ))::date as day_on
        ) as days
    ),
    all_amounts as (
        from of_orders
        union all
        select spent_on, item, expenses_part(), 'amount', -amount, 0, 0
        from counted_expenses()
        where item <> 'fixed' or profit_store() is null
        union all
        select day_on, 'media', 1, 'amount', -investment, 0, 0
        from daily_totals
        where investment <> 0 and profit_store() is null
        union all
        select day_on, 'fixed', rule_no + 1, 'amount', amount, 0, 0
        from fixed_days
    )
    select
        day_on, line, part_no, measure,
        sum(amount) as amount, sum(orders)::bigint as orders, sum(units)::bigint as units
    from all_amounts
    group by all;

-- The lines of windows that are no totals. `periods`, `days`: the names of relations, of windows, and as of profit_by_day with the
-- `window_no` of each row.
-- Grain: one row per window and line. `exact` is not yet rounded. It is null for goods of which units have no cost, in the statement
-- of a store for the lines of no store, and for totals.
create macro exact_lines(periods, days) as table
    with
    sums as (
        select
            window_no, line,
            sum(amount) filter (where measure = 'amount') as amount,
            bool_or(line = 'goods' and measure in ('unknown', 'unknown back')) as has_unknown
        from query_table(days)
        group by window_no, line
    )
    select
        windows.window_no, list.line, list.line_no, list.is_total, list.is_of_no_store,
        case
            when not (
                list.is_total
                or list.is_of_no_store and profit_store() is not null
                or coalesce(sums.has_unknown, false)
            )
                then coalesce(sums.amount, 0)
        end::decimal(38, 18) as exact
    from query_table(periods) as windows
    cross join profit_line_list() as list
    left join sums on sums.window_no = windows.window_no and sums.line = list.line;

-- The lines with their totals: sums of the lines as rounded, null with one of them. `exact_rows`: the name of a relation as of exact_lines
-- with `amount`, the line as rounded.
create macro with_totals(exact_rows) as table
    select
        * replace (
            case when not is_total then exact when not has_unknown then exact_to_here end as exact,
            case when not is_total then amount when not has_unknown then amount_to_here end as amount
        )
    from (
        select
            *,
            bool_or(not is_total and amount is null) over to_here as has_unknown,
            sum(exact) over to_here as exact_to_here,
            sum(amount) over to_here as amount_to_here
        from query_table(exact_rows)
        window to_here as (partition by window_no order by line_no rows unbounded preceding)
    );

-- The same of the requested statement.
create macro statement_days() as table
    with
    windows as materialized (from statement_windows())
    from profit_by_day('windows', refunds_on());

-- The lines of the statement and of that which it is compared with.
-- Grain: one row per window and line.
create macro statement_lines() as table
    with
    windows as materialized (from statement_windows()),
    by_day as materialized (from statement_days()),
    of_windows as materialized (
        select windows.window_no, by_day.*
        from windows
        join by_day on by_day.day_on between windows.first_on and windows.last_on
    ),
    rounded as materialized (select *, rounded_sum(exact) as amount from exact_lines('windows', 'of_windows'))
    from with_totals('rounded');

-- The parts of the statement's lines.
-- Grain: one row per line and part of the period. `source` is null for a rule that says that there is no such cost.
create macro statement_parts() as table
    with
    windows as (from statement_windows() where window_no = 1),
    sums as (
        select line, part_no, sum(amount) as exact
        from statement_days() as by_day
        join windows on by_day.day_on between windows.first_on and windows.last_on
        where measure = 'amount'
        group by line, part_no
    )
    select
        sums.line,
        sums.part_no,
        case
            when part_no = 0 then 'orders'
            when part_no = 1 then case line when 'goods' then 'product-costs' when 'payment' then 'payment-fees' end
            when part_no = expenses_part() then 'expenses'
            else cost_rules.name
        end as name,
        case
            when part_no = 0 then 'orders'
            when part_no in (1, expenses_part()) then 'records'
            when cost_rules.kind <> 'none' then 'rules'
        end as source,
        sums.exact
    from sums
    left join cost_rules on cost_rules.rule_no = sums.part_no - 1
    where sums.line not in ('revenue', 'giftCards', 'refunds', 'media');

-- The days of the statement in steps, as covered_steps.
create macro profit_steps(step) as table
    with
    covered as (from statement_windows() where window_no = 1)
    from calendar_steps('covered', step);

-- What rules say of the goods of orders with units that have no cost of their own [D72].
-- Grain: one row per such order with a rule. `rate` is the part of the sale value; `is_zero`: there is no such cost.
create macro goods_rates() as table
    select
        orders.integration_id,
        orders.order_id,
        or_zero(sum(rules.amount) filter (where rules.kind = 'percentOfItems')) * 0.01::decimal(2, 2) as rate,
        bool_and(rules.kind = 'none') as is_zero
    from profit_facts as orders
    join rules_in_force() as rules on rules.item = 'goods' and rule_holds(rules, orders)
    where orders.is_sale and orders.uncosted_units <> 0
    group by orders.integration_id, orders.order_id;

-- Whether rules give units of a sale value a cost.
create macro has_cost_by_rules(rates, sale_value) as
    coalesce(rates.is_zero or rates.rate is not null and sale_value is not null, false);

-- Units without a cost that were sold in the windows, or that were put back in them and sold before: each once.
-- Grain: one row per line of an order, and per entry of a return.
create macro uncosted_units(periods, dating) as table
    with
    of_lines as (
        select
            lines.integration_id, lines.order_id, lines.product_id, lines.ordered_on, lines.ordered_on as day_on, lines.sold_units as units,
            part_of(lines."value", lines.sold_units, lines.quantity) as "value"
        from order_lines as lines
        where lines.is_counted and lines.sold_units > 0 and lines.unit_cost is null
        union all
        select
            returned.integration_id, returned.order_id, lines.product_id, returned.ordered_on,
            counting_day(dating, returned.ordered_on, returned.returned_on), returned.units, returned."value"
        from returned_units as returned
        join order_lines as lines using (integration_id, order_id, line_no)
        where returned.is_restocked and returned.units > 0 and returned.unit_cost is null
            and not exists (
                from query_table(periods) as windows where returned.ordered_on between windows.first_on and windows.last_on
            )
    ),
    of_windows as (
        select of_lines.*
        from of_lines
        semi join query_table(periods) as windows on of_lines.day_on between windows.first_on and windows.last_on
        where passes('integration_id', of_lines.integration_id)
    )
    select of_windows.*
    from of_windows
    left join goods_rates() as rates using (integration_id, order_id)
    where not has_cost_by_rules(rates, of_windows."value");

-- Whether the orders of a page begin with the latest.
create macro descends_by_time() as
    coalesce(optional_parameter('order_by'), 'orderedAt') = 'orderedAt'
    and coalesce(optional_parameter('order_direction'), 'ASC') = 'DESC';

-- The number of the last order that a page needs, in the order of their times: one more shows that there is a next page. Null
-- without a page, and where figures sort the orders.
create macro last_of_page() as
    case
        when coalesce(optional_parameter('order_by'), 'orderedAt') = 'orderedAt' and not wants_all()
            then least(
                optional_parameter('page')::hugeint * optional_parameter('limit')::hugeint + 1, 9223372036854775807
            )::bigint
    end;

-- How much of each line is known in the period, and of how much something is not.
-- Grain: one row per line that rules and records say. `periods`, `days`: the names of relations, as of statement_windows and
-- profit_by_day; the period is window 1.
create macro profit_knowledge(periods, days) as table
    with
    of_period as (
        select by_day.*
        from query_table(days) as by_day
        join query_table(periods) as windows on by_day.day_on between windows.first_on and windows.last_on
        where windows.window_no = 1
    ),
    whole as (
        select
            coalesce(sum(orders) filter (where line = 'revenue'), 0) as orders,
            coalesce(sum(amount) filter (where line = 'revenue'), 0) as revenue,
            coalesce(sum(units) filter (where measure = 'sold'), 0) as units
        from of_period
    ),
    unknown as (
        select
            line,
            sum(orders) as orders,
            sum(amount) as revenue,
            coalesce(sum(units) filter (where measure = 'unknown'), 0) as units,
            coalesce(sum(units) filter (where measure = 'unknown back'), 0) as units_back
        from of_period
        where measure in ('unknown', 'unknown back')
        group by line
    )
    select
        list.line,
        list.line_no,
        coalesce(unknown.orders, 0) as unknown_orders,
        coalesce(unknown.revenue, 0) as unknown_revenue,
        case list.line
            when 'goods' then whole.units + coalesce(unknown.units_back, 0) > 0
            when 'fixed' then profit_store() is null
                and exists (from query_table(periods) as windows where window_no = 1 and first_on <= last_on)
            else whole.orders > 0
        end as has_anything,
        case list.line
            when 'goods' then safe_divide(whole.units - coalesce(unknown.units, 0), whole.units)
            when 'fixed' then null
            else safe_divide(whole.revenue - coalesce(unknown.revenue, 0), whole.revenue)
        end as coverage
    from profit_line_list() as list
    cross join whole
    left join unknown on unknown.line = list.line
    where list.line in ('salesTax', 'goods', 'payment', 'shipping', 'fulfilment', 'commission', 'other', 'fixed');

create macro statement_knowledge() as table
    with
    windows as materialized (from statement_windows()),
    by_day as materialized (from statement_days())
    from profit_knowledge('windows', 'by_day');

-- What is not known of the costs of window 1, but of `fixed`.
-- Grain: one row per item of which something is not known. Units that were sold and came back are there once.
create macro missing_costs(periods, days, dating) as table
    with
    windows as materialized (from query_table(periods) where window_no = 1),
    goods as (
        select
            count(distinct row(integration_id, order_id)) as orders,
            coalesce(sum("value"), 0) as "value",
            coalesce(sum(units), 0) as units,
            count(distinct row(integration_id, product_id)) filter (where product_id is not null) as products
        from uncosted_units('windows', dating)
    )
    select
        knowledge.line_no,
        knowledge.line as item,
        case line when 'goods' then goods.orders else knowledge.unknown_orders end::bigint as orders,
        case line when 'goods' then goods."value" else knowledge.unknown_revenue end as revenue,
        case line when 'goods' then goods.units end::bigint as units,
        case line when 'goods' then goods.products end::bigint as products
    from profit_knowledge(periods, days) as knowledge
    cross join goods
    where case line when 'goods' then goods.units else knowledge.unknown_orders end > 0;

-- The lines of the statement as an answer has them: rounded, with their parts and the period compared with.
-- Grain: one row per line. `parts` add up to the line, unless it is null. Without a comparison `previous`, `change`, `pct` are null.
create macro shown_lines() as table
    with
    lines as materialized (from statement_lines()),
    present as (from lines where window_no = 1),
    part_lists as (
        select
            line,
            list_distinct(list(source)) as sources,
            list({name: name, source: source} order by part_no) filter (where source is not null) as named,
            list(exact order by part_no) filter (where source is not null) as exacts
        from statement_parts()
        group by line
    ),
    described as (
        select
            present.line,
            present.line_no,
            present.is_total,
            present.is_of_no_store,
            present.exact,
            present.amount,
            case
                when present.line in ('revenue', 'giftCards', 'refunds') then 'orders'
                when present.is_total or present.amount is null and present.line <> 'goods' then null
                when present.line = 'media' then if(exists (from integrations where kind = 'ads'), 'records', 'none')
                when len(part_lists.sources) > 1 then 'mixed'
                when len(part_lists.sources) = 1 then part_lists.sources[1]
                when part_lists.line is not null then 'none'
                when knowledge.has_anything then 'pending'
            end as source,
            knowledge.coverage,
            coalesce(part_lists.named, []) as named,
            coalesce(part_lists.exacts, []) as exacts
        from present
        left join part_lists on part_lists.line = present.line
        left join statement_knowledge() as knowledge on knowledge.line = present.line
    )
    select
        described.line,
        described.line_no,
        described.amount::double as amount,
        ratio(case when net.amount > 0 then safe_divide(described.amount, net.amount) end) as share,
        described.source,
        ratio(described.coverage) as coverage,
        case
            when profit_store() is null or not described.is_of_no_store
                then list_transform(
                    list_zip(
                        named,
                        case
                            when described.amount is not null then settled(exacts, described.amount)
                            else list_transform(exacts, lambda part: rounded_sum(part))
                        end
                    ),
                    lambda part: {name: part[1].name, source: part[1].source, amount: part[2]::double}
                )
        end as parts,
        before.amount::double as previous,
        (described.amount - before.amount)::double as change,
        percentage(
            case
                when before.exact <> 0 and not (described.is_total and before.exact < 0)
                    then 100 * safe_divide(described.exact - before.exact, before.exact)
            end
        ) as pct
    from described
    join present as net on net.line = 'netRevenue'
    left join lines as before on before.window_no = 2 and before.line = described.line;
