-- The statement of profit is that of its orders and days: revenue, refunds and spend are those of the cards, of the refunds and of the
-- records; orders leave what the statement with refunds on the orders says without expenses; channels likewise [D74], [D75], [D76].

with

facts as (

    select
        coalesce(sum(revenue), 0) as revenue,
        coalesce(sum(refunds), 0) as refunds,
        coalesce(sum(fee), 0) as fees,
        coalesce(sum(gift_cards), 0) as gift_cards,
        coalesce(sum(facts) filter (where is_sale), 0) as orders
    from daily_profit_facts
    where is_in_period(ordered_on)

),

order_sums as (

    select
        coalesce(sum(revenue), 0) as revenue,
        coalesce(sum(refunds), 0) as refunds,
        coalesce(sum(fee), 0) as fees,
        coalesce(sum(gift_cards), 0) as gift_cards,
        count(*) filter (where is_sale) as orders
    from profit_facts
    where is_in_period(ordered_on)

),

cards as (

    select coalesce(sum(revenue), 0) as revenue, coalesce(sum(orders), 0) as orders
    from daily_totals
    where is_in_period(day_on)

),

given_back as (

    select -coalesce(sum(amount), 0) as refunds
    from refunds
    where is_in_period(ordered_on)

),

windows as materialized (

    select 1 as window_no, coalesce(period_start(), min(ordered_on)) as first_on, coalesce(period_end(), max(ordered_on)) as last_on
    from daily_profit_facts

),

window_sums as materialized (from profit_sums('windows', 'daily_profit_amounts', 'order')),

-- Of each line without expenses and costs of days.
line_sums as (

    select
        coalesce(sum(amount) filter (where line in ('revenue', 'giftCards', 'refunds', 'salesTax')), 0) as net_revenue,
        -coalesce(
            sum(amount) filter (where line in ('payment', 'shipping', 'fulfilment', 'commission', 'other')), 0
        ) as variable_costs
    from window_sums
    where measure = 'amount' and part_no <> expenses_part()

),

channels as (

    select coalesce(sum(net_revenue), 0) as net_revenue, coalesce(sum(variable_costs), 0) as variable_costs, count(*) as rows
    from contributions('channel')

)

select 'orders and days differ' as problem
from facts
cross join order_sums
where row(facts.revenue, facts.fees, facts.orders) is distinct from row(order_sums.revenue, order_sums.fees, order_sums.orders)
    or abs(facts.refunds - order_sums.refunds) > 0.000001
    or abs(facts.gift_cards - order_sums.gift_cards) > 0.000001

union all

select 'other revenue than on the cards'
from facts
cross join cards
where row(facts.revenue, facts.orders) is distinct from row(cards.revenue, cards.orders)

union all

select 'other refunds than those of the orders'
from facts
cross join given_back
where abs(facts.refunds - given_back.refunds) > 0.000001

union all

-- Each line of a channel is rounded.
select 'channels leave something else than the statement'
from line_sums
cross join channels
where abs(line_sums.net_revenue - channels.net_revenue) > 0.03 * (1 + channels.rows)
    or abs(line_sums.variable_costs - channels.variable_costs) > 0.03 * (1 + channels.rows)
