-- Goods of a period of which no cost is known, and the rule that would give them one: at the share of the sale value that the goods
-- with a cost of their own had in the same period.
-- Grain: one row per store with units of which no cost is known.
-- Parameters: start_date, end_date (inclusive; null for the whole history), integration_id, refunds_on (both may be missing).
-- Follows [D18], [D70], [D72], [D212].

with

windows as materialized (from statement_windows() where window_no = 1),

unknown as (

    select
        integration_id,
        min(ordered_on) as from_on,
        count(distinct order_id) as orders,
        sum(units)::bigint as units,
        coalesce(sum("value"), 0) as revenue
    from uncosted_units('windows', refunds_on())
    group by integration_id

),

known as (

    select percentage(100 * safe_divide(sum(sold_units * unit_cost), sum(part_of("value", sold_units, quantity)))) as percent
    from order_lines
    semi join windows on order_lines.ordered_on between windows.first_on and windows.last_on
    where is_counted and sold_units > 0 and unit_cost is not null and "value" is not null
        and passes('integration_id', integration_id)

),

-- A rule that may hold for some of these orders would add up with another one.
closable as (

    select unknown.integration_id, known.percent::decimal(9, 6) as percent
    from unknown
    join known on known.percent between 0.01 and 100
    anti join rules_in_force() as rules
        on rules.item = 'goods'
        and rules.until_on >= unknown.from_on
        and coalesce(rules.integration_id = unknown.integration_id, true)

),

estimated as (

    select
        closable.integration_id,
        any_value(closable.percent) as percent,
        case
            when count(*) filter (where facts.unvalued_units <> 0) = 0
                then -sum(percent_of(facts.uncosted_value, closable.percent))
        end as goods
    from closable
    join unknown on unknown.integration_id = closable.integration_id
    join day_facts(refunds_on()) as facts
        on facts.integration_id = closable.integration_id and facts.ordered_on >= unknown.from_on
    join windows on facts.day_on between windows.first_on and windows.last_on
    group by closable.integration_id

)

select
    unknown.integration_id as "integrationId",
    unknown.from_on as "from",
    unknown.orders,
    unknown.units,
    money(unknown.revenue) as revenue,
    estimated.percent::double as "percentOfItems",
    money(estimated.goods) as goods
from unknown
left join estimated on estimated.integration_id = unknown.integration_id
order by unknown.revenue desc, unknown.integration_id
