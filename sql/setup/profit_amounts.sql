-- What rules and records say of orders [D70], [D71], [D72], [D73]. A derivation reads these macros, too.

-- The items whose costs rules and records say of each order, but for goods.
create macro order_cost_items() as table
    select unnest(['salesTax', 'payment', 'shipping', 'fulfilment', 'commission', 'other']) as item;

-- Whether a rule holds for an order, or for facts of orders that do not differ in this.
create macro rule_holds(rule, orders) as
    orders.ordered_on between rule.from_on and rule.until_on
    and (rule.integration_id is null or rule.integration_id = orders.integration_id)
    and (rule.channel is null or rule.channel = orders.channel)
    and (rule.payment_method is null or list_contains(orders.payment_methods, rule.payment_method));

-- The attributes of orders that some rule distinguishes. `rule_rows`: the name of a relation of rules, here and below.
-- Grain: one row.
create macro distinguished(rule_rows) as table
    select
        coalesce(bool_or(channel is not null), false) as channels,
        coalesce(bool_or(payment_method is not null), false) as payment_methods
    from query_table(rule_rows);

-- The days cut into spans in which the same rules hold.
-- Grain: one row per span.
create macro rule_spans(rule_rows) as table
    select first_on, lead(first_on - 1, 1, 'infinity'::date) over (order by first_on) as last_on
    from (
        select '0001-01-01'::date as first_on
        union
        select from_on from query_table(rule_rows)
        union
        select until_on + 1 from query_table(rule_rows) where until_on < '9999-12-31'::date
    );

-- What rules say of the goods of orders that have no cost of their own [D72]. `order_rows`: the name of
-- a relation of one row per order.
-- Grain: one row per order with a rule. `rate` is the part of the sale value; `is_zero`: there is no such cost.
create macro goods_rates(order_rows, rule_rows) as table
    select
        orders.integration_id,
        orders.order_id,
        coalesce(sum(rules.amount) filter (where rules.kind = 'percentOfItems'), 0) * 0.01::decimal(2, 2) as rate,
        bool_and(rules.kind = 'none') as is_zero
    from query_table(order_rows) as orders
    join query_table(rule_rows) as rules on rules.item = 'goods' and rule_holds(rules, orders)
    group by orders.integration_id, orders.order_id;

-- Whether rules give units of a sale value a cost.
create macro has_cost_by_rules(rates, sale_value) as
    coalesce(rates.is_zero or rates.rate is not null and sale_value is not null, false);

-- A percentage of an amount: exact, with eight more decimals.
create macro percent_of(amount, percent) as amount * (percent * 0.01::decimal(2, 2))::decimal(9, 8);

-- An amount on a line. All have this type: the common type of several has too few decimals.
create macro line_amount(amount) as amount::decimal(38, 22);

-- The `part_no` of expenses: after all rules.
create macro expenses_part() as 2147483647;

-- What each row of facts is worth on each line, by part. `fact_rows`: the name of a relation with the columns of `daily_profit_facts` and
-- `fact_no`.
-- Grain: one row per fact, line, part and `measure`: `amount`; `unknown`, the orders of which a cost is not known, with their
-- revenue, or such units of goods; `unknown back`, those that were put back; `sold`, units that were sold. `part_no`: 0 from orders,
-- 1 from records, 1 + rule_no.
-- Follows [D70], [D71], [D72], [D73], [D74].
create macro profit_amounts(fact_rows, rule_rows) as table
    with
    facts as not materialized (from query_table(fact_rows)),
    held as materialized (
        select order_facts.fact_no, rules.rule_no, rules.item, rules.kind, rules.amount
        from facts as order_facts
        join query_table(rule_rows) as rules on rule_holds(rules, order_facts)
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
        unnest([line_amount(revenue), line_amount(gift_cards), line_amount(refunds)]) as amount,
        case when is_sale then facts else 0 end as orders, 0::bigint as units
    from facts
    union all
    select fact_no, 'salesTax', 0, 'amount', -line_amount(tax), facts, 0
    from facts
    where integration_id in (from taxed_stores) and (is_sale or refunds_above_zero > 0)
    union all
    select fact_no, 'goods', 0, 'amount', -line_amount(reported_cost), facts, reported_units
    from facts
    where reported_units <> 0
    union all
    select fact_no, 'goods', 1, 'amount', -line_amount(recorded_cost), facts, recorded_units
    from facts
    where recorded_units <> 0
    union all
    select fact_no, 'goods', 0, 'sold', line_amount(0), facts, units
    from facts
    where is_sale and units <> 0
    union all
    select fact_no, 'payment', 1, 'amount', -line_amount(fee), facts, 0
    from facts
    where is_sale and has_fee
    union all
    select
        held.fact_no, held.item, held.rule_no + 1, 'amount',
        -case held.kind
            when 'percentOfRevenue' then line_amount(percent_of(facts.net_revenue, held.amount))
            when 'percentOfItems'
                then line_amount(percent_of(if(held.item = 'goods', facts.uncosted_value, facts.sale_value), held.amount))
            when 'perOrder' then line_amount(facts.facts * held.amount)
            when 'perUnit' then line_amount(facts.units * held.amount)
            when 'charged' then line_amount(facts.shipping)
            when 'none' then line_amount(0)
        end,
        facts.facts, 0
    from held
    join facts on facts.fact_no = held.fact_no
    -- A percentage of units without a sale value says nothing of them.
    where held.item <> 'goods' or held.kind = 'none' or facts.uncosted_units <> facts.unvalued_units
    union all
    select unknown_costs.fact_no, unknown_costs.item, 0, 'unknown', line_amount(facts.revenue), facts.facts, 0
    from unknown_costs
    join facts on facts.fact_no = unknown_costs.fact_no
    union all
    select
        unknown_goods.fact_no, 'goods', 0, case when facts.is_sale then 'unknown' else 'unknown back' end, line_amount(0), facts.facts,
        abs(unknown_goods.units)
    from unknown_goods
    join facts on facts.fact_no = unknown_goods.fact_no
    where unknown_goods.units <> 0;

-- Daily facts that no rule distinguishes, as one row. `daily_rows`: the name of a relation like daily_profit_facts.
create macro facts_of_rules(daily_rows, rule_rows) as table
    select
        row_number() over () as fact_no,
        integration_id,
        ordered_on,
        counted_on,
        is_sale,
        case when distinguished.channels then daily_facts.channel end as channel,
        case when distinguished.payment_methods then daily_facts.payment_methods end as payment_methods,
        has_fee,
        sum(facts)::bigint as facts,
        sum(columns('^(revenue|gift_cards|refunds|net_revenue|sale_value|tax|shipping|fee|re.*ed_cost|uncosted_value)$')),
        sum(columns('units$|^refunds_above_zero$'))::bigint
    from query_table(daily_rows) as daily_facts
    cross join distinguished(rule_rows) as distinguished
    group by all;

-- What facts are worth on the days on which they count: what went back is there twice, on its own day, with `refunds_on` 'refund', and on
-- that of its order, with 'order'; all else has null.
create macro dated_amounts(fact_rows, rule_rows) as table
    select
        facts.integration_id,
        facts.ordered_on,
        unnest(case when facts.is_sale then [null] else ['refund', 'order'] end) as refunds_on,
        unnest(case when facts.is_sale then [facts.ordered_on] else [facts.counted_on, facts.ordered_on] end) as day_on,
        amounts.line,
        amounts.part_no,
        amounts.measure,
        amounts.amount,
        amounts.orders,
        amounts.units
    from profit_amounts(fact_rows, rule_rows) as amounts
    join query_table(fact_rows) as facts on facts.fact_no = amounts.fact_no;

-- The same of media spend. `spend_rows`: the name of a relation like media_spend.
create macro media_amounts(spend_rows) as table
    select
        null::varchar as integration_id, null::varchar as refunds_on, spent_on as day_on, 'media' as line, 1 as part_no,
        'amount' as measure, -line_amount(sum(spend)) as amount, 0::bigint as orders, 0::bigint as units
    from query_table(spend_rows)
    group by spent_on
    having sum(spend) <> 0;
