-- The statement of profit [D74]: what remains of what customers paid, line by line, and what each line is made of.

-- Whether refunds count on their own day ('refund'), or on that of their order ('order'). `dating` is one of these.
create macro refunds_on() as coalesce(optional_parameter('refunds_on'), 'refund');
create macro counting_day(dating, ordered_on, counted_on) as
    case dating when 'refund' then counted_on when 'order' then ordered_on else unknown_choice('refunds_on', dating) end;
-- Whether a row of `daily_profit_amounts` counts on its day.
create macro is_dated_by(dating, row_refunds_on) as
    coalesce(
        row_refunds_on = case when dating in ('refund', 'order') then dating else unknown_choice('refunds_on', dating) end, true
    );

-- The lines, in their order; a total is the sum of the lines before it that are no totals. With a filter, fixed costs are of none of it,
-- and media are known or not [D86].
create macro profit_line_list() as table
    select
        unnest(lines) as line,
        generate_subscripts(lines, 1) as line_no,
        line in ('netRevenue', 'contribution1', 'contribution2', 'contribution3', 'profit') as is_total,
        line in ('fixed', 'profit') as is_of_whole,
        line in ('media', 'contribution3') as has_media
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

-- Whether a line says nothing under the filters.
create macro is_left_out(list, is_spend_known) as list.is_of_whole and is_filtered() or list.has_media and not is_spend_known;

-- What each day of the filters is worth, as daily_profit_amounts, from their orders and spend: expenses neither count nor make known.
create macro amounts_of_orders() as table
    with
    daily_rows as (from daily_profit_facts where passes_filters(integration_id, channel)),
    spend_rows as (from filtered_spend()),
    facts as materialized (from facts_of_rules('daily_rows', 'cost_rules'))
    select * exclude (ordered_on) from dated_amounts('facts', 'cost_rules')
    union all
    from media_amounts('spend_rows');

-- The same of a store, with the expenses that name it.
create macro amounts_of_store() as table
    with
    spend_rows as (from filtered_spend())
    from daily_profit_amounts where integration_id = filtered_store()
    union all
    from media_amounts('spend_rows');

-- What the statement adds up.
create macro statement_amounts() as table
    from query(
        case
            when filtered_channel() is not null then 'from amounts_of_orders()'
            when filtered_store() is not null then 'from amounts_of_store()'
            else 'from daily_profit_amounts'
        end
    );

-- The days of the statement: the period; without one those from the first to the last with an order, a refund, spend or an expense.
create macro profit_days() as table
    with
    requested as (select period_start() as start_on, period_end() as end_on),
    amount_days as (
        select min(amounts.day_on) as first_on, max(amounts.day_on) as last_on
        from statement_amounts() as amounts
        join requested on requested.start_on is null or requested.end_on is null
        where is_dated_by(refunds_on(), amounts.refunds_on)
            and (amounts.part_no <> expenses_part() or amounts.amount <> 0)
    )
    select
        coalesce(requested.start_on, amount_days.first_on) as first_on,
        coalesce(requested.end_on, amount_days.last_on) as last_on
    from requested
    cross join amount_days;

-- The days of the statement (1), and those that it is compared with (2), if any.
create macro statement_windows() as table
    with
    requested as (
        select
            period_start() as start_on,
            period_end() as end_on,
            compare_start() as compare_start_on,
            compare_end() as compare_end_on
    )
    select 1 as window_no, first_on, last_on
    from profit_days()
    union all
    select
        2,
        coalesce(compare_start_on, start_before(start_on, end_on)),
        coalesce(compare_end_on, end_before(start_on, end_on))
    from requested
    where start_on is not null and (compare_start_on is not null or compare() <> 'none');

-- What windows are worth on each line, by part: the amounts of their days, and fixed costs by rules. `periods`, `day_amounts`: the names
-- of relations, of windows, and as of daily_profit_amounts.
-- Grain: one row per window, line, part and measure, as of `daily_profit_amounts`, but for `unknown of store`.
create macro profit_sums(periods, day_amounts, dating) as table
    with
    days as (
        select window_no, first_on + unnest(generate_series(0, last_on - first_on))::integer as day_on
        from query_table(periods)
    ),
    all_amounts as (
        select
            days.window_no, amounts.line, amounts.part_no,
            if(amounts.measure = 'unknown of store', 'unknown', amounts.measure) as measure,
            amounts.amount, amounts.orders, amounts.units
        from query_table(day_amounts) as amounts
        join days on days.day_on = amounts.day_on
        where is_dated_by(dating, amounts.refunds_on)
            and (amounts.measure <> 'unknown of store' or is_filtered())
        union all
        select
            days.window_no, 'fixed', rules.rule_no + 1, 'amount',
            -case rules.kind
                when 'perDay' then rules.amount
                when 'perMonth' then day_part(rules.amount, day(days.day_on) - 1, day(last_day(days.day_on)))
                when 'none' then 0
            end,
            0, 0
        from days
        join cost_rules as rules on rules.item = 'fixed' and days.day_on between rules.from_on and rules.until_on
        where not is_filtered()
    )
    select
        window_no, line, part_no, measure,
        sum(amount) as amount, sum(orders)::bigint as orders, sum(units)::bigint as units
    from all_amounts
    group by window_no, line, part_no, measure;

-- The same of the requested statement.
create macro statement_sums() as table
    with
    windows as materialized (from statement_windows()),
    day_amounts as (from statement_amounts())
    from profit_sums('windows', 'day_amounts', refunds_on());

-- The lines of windows that are no totals. `periods`, `window_sums`: the names of relations, of windows, and as of profit_sums.
-- Grain: one row per window and line. `exact` is not yet rounded. It is null for goods of which units have no cost, for
-- lines that say nothing under the filters, and for totals.
create macro exact_lines(periods, window_sums) as table
    with
    sums as (
        select
            window_no, line,
            sum(amount) filter (where measure = 'amount') as amount,
            bool_or(line = 'goods' and measure in ('unknown', 'unknown back')) as has_unknown
        from query_table(window_sums)
        group by window_no, line
    )
    select
        windows.window_no, list.line, list.line_no, list.is_total, is_left_out(list, spend.is_known) as is_left_out,
        case
            when not (list.is_total or is_left_out(list, spend.is_known) or coalesce(sums.has_unknown, false))
                then coalesce(sums.amount, 0)
        end::decimal(38, 18) as exact
    from query_table(periods) as windows
    cross join profit_line_list() as list
    cross join spend_knowledge() as spend
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

-- The lines of the statement and of that which it is compared with.
-- Grain: one row per window and line.
create macro statement_lines() as table
    with
    windows as materialized (from statement_windows()),
    window_sums as (from statement_sums()),
    rounded as materialized (select *, rounded_sum(exact) as amount from exact_lines('windows', 'window_sums'))
    from with_totals('rounded');

-- The parts of the statement's lines.
-- Grain: one row per line and part of the period. `source` is null for a rule that says that there is no such cost.
create macro statement_parts() as table
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
        sums.amount as exact
    from statement_sums() as sums
    left join cost_rules on cost_rules.rule_no = sums.part_no - 1
    where sums.window_no = 1
        and sums.measure = 'amount'
        and sums.line not in ('revenue', 'giftCards', 'refunds', 'media');

-- The days of the statement in steps, as covered_steps.
create macro profit_steps(step) as table
    with
    covered as (from statement_windows() where window_no = 1)
    from calendar_steps('covered', step);

create macro unknown_units_of_channel() as table
    select units.*
    from unknown_units as units
    semi join (from orders where passes('channel', channel)) as orders
        on orders.integration_id = units.integration_id and orders.order_id = units.order_id
    where passes('integration_id', units.integration_id);
create macro analysed_unknown_units() as table
    from query(
        case
            when filtered_channel() is not null then 'from unknown_units_of_channel()'
            when filtered_store() is not null then 'from unknown_units where integration_id = filtered_store()'
            else 'from unknown_units'
        end
    );

-- Units of unknown cost that were sold in the windows, or that were put back in them and sold before: each once.
-- Grain: one row per line of an order, and per entry of a refund.
create macro unknown_units_of(periods, dating) as table
    select integration_id, order_id, ordered_on, product_id, units, "value"
    from analysed_unknown_units()
    semi join query_table(periods) as windows
        on counting_day(dating, ordered_on, coalesce(returned_on, ordered_on)) between windows.first_on and windows.last_on
    anti join query_table(periods) as windows
        on returned_on is not null and ordered_on between windows.first_on and windows.last_on;

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
-- Grain: one row per line that rules and records say. `periods`, `window_sums`: the names of relations, as of statement_windows and
-- profit_sums; the period is window 1.
create macro profit_knowledge(periods, window_sums) as table
    with
    of_period as (from query_table(window_sums) where window_no = 1),
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
            when 'fixed' then not is_filtered()
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
    window_sums as materialized (from statement_sums())
    from profit_knowledge('windows', 'window_sums');

-- What is not known of the costs of window 1, but of `fixed`. `known`: the name of a relation as of profit_knowledge.
-- Grain: one row per item of which something is not known. Units that were sold and came back are there once.
create macro missing_costs(periods, known, dating) as table
    with
    windows as materialized (from query_table(periods) where window_no = 1),
    goods as (
        select
            count(distinct row(integration_id, order_id)) as orders,
            coalesce(sum("value"), 0) as "value",
            coalesce(sum(units), 0) as units,
            count(distinct row(integration_id, product_id)) filter (where product_id is not null) as products
        from unknown_units_of('windows', dating)
    )
    select
        knowledge.line_no,
        knowledge.line as item,
        case line when 'goods' then goods.orders else knowledge.unknown_orders end::bigint as orders,
        case line when 'goods' then goods."value" else knowledge.unknown_revenue end as revenue,
        case line when 'goods' then goods.units end::bigint as units,
        case line when 'goods' then goods.products end::bigint as products
    from query_table(known) as knowledge
    cross join goods
    where case line when 'goods' then goods.units else knowledge.unknown_orders end > 0;

-- Parts of lines as an answer has them: they add up to the line, if it is known. `part_rows`: the name of a relation with the `line`,
-- the `place` in it, the `rounded` part and the line's `line_amount` of each. What rounding leaves over goes to the largest part, the first
-- of equals.
create macro settled_parts(part_rows) as table
    select
        *,
        rounded + case
            when row_number() over (partition by line order by abs(rounded) desc nulls last, place) = 1
                then coalesce(line_amount - sum(rounded) over (partition by line), 0)
            else 0
        end as amount
    from query_table(part_rows);

-- The lines of the statement as an answer has them: rounded, with their parts and the period compared with.
-- Grain: one row per line. `parts` add up to the line, unless it is null. Without a comparison `previous`, `change`, `pct` are null.
create macro shown_lines() as table
    with
    lines as materialized (from statement_lines()),
    present as (from lines where window_no = 1),
    part_rows as (
        select
            parts.line, parts.part_no as place, parts.name, parts.source,
            case when parts.source is not null then rounded_sum(parts.exact) end as rounded,
            present.amount as line_amount
        from statement_parts() as parts
        join present on present.line = parts.line
    ),
    part_lists as (
        select
            line,
            case when min(source) <> max(source) then 'mixed' else coalesce(min(source), 'none') end as line_source,
            list({name: name, source: source, amount: amount::double} order by place) filter (where source is not null) as parts
        from settled_parts('part_rows')
        group by line
    ),
    described as (
        select
            present.line,
            present.line_no,
            present.is_total,
            present.is_left_out,
            present.exact,
            present.amount,
            case
                when present.line in ('revenue', 'giftCards', 'refunds') then 'orders'
                when present.is_total or present.amount is null and present.line <> 'goods' then null
                when present.line = 'media'
                    then if(exists (from integrations where kind = 'ads' and passes('channel', connector)), 'records', 'none')
                when part_lists.line is not null then part_lists.line_source
                when knowledge.has_anything then 'pending'
            end as source,
            knowledge.coverage,
            coalesce(part_lists.parts, []) as parts
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
        case when not described.is_left_out then described.parts end as parts,
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
