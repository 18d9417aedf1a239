-- Goods of a period of which no cost is known, and the rule that would give them one: at the share of the sale value that the goods
-- with a cost of their own had in the same period.
-- Grain: one row per store with units of which no cost is known.
-- Parameters: start_date, end_date (inclusive; null for the whole history), integration_id, channel, refunds_on (all may be missing).
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
    from unknown_units_of('windows', refunds_on())
    group by integration_id

),

known as (

    select percentage(100 * safe_divide(sum(sold_units * unit_cost), sum(part_of("value", sold_units, quantity)))) as percent
    from analysed_lines() as order_lines
    semi join windows on order_lines.ordered_on between windows.first_on and windows.last_on
    where is_counted and sold_units > 0 and unit_cost is not null and "value" is not null

),

-- A rule that may hold for some of these orders would add up with another one.
closable as (

    select unknown.integration_id, known.percent::decimal(9, 6) as percent
    from unknown
    join known on known.percent between 0.01 and 100
    anti join cost_rules as rules
        on rules.item = 'goods'
        and rules.until_on >= unknown.from_on
        and coalesce(rules.integration_id = unknown.integration_id, true)

),

-- What the rule would give a cost: units sold, less those put back, each on its day.
deducted as (

    select
        integration_id,
        case
            when count(*) filter (where "value" is null) = 0 then sum(if(return_no is null, "value", -"value"))::decimal(38, 14)
        end as "value"
    from analysed_unknown_units()
    join windows
        on case when return_no is null then ordered_on else counting_day(refunds_on(), ordered_on, returned_on) end
            between windows.first_on and windows.last_on
    group by integration_id

)

select
    unknown.integration_id as "integrationId",
    unknown.from_on as "from",
    unknown.orders,
    unknown.units,
    money(unknown.revenue) as revenue,
    closable.percent::double as "percentOfItems",
    money(-percent_of(deducted."value", closable.percent)) as goods
from unknown
left join closable on closable.integration_id = unknown.integration_id
left join deducted on deducted.integration_id = unknown.integration_id
order by unknown.revenue desc, unknown.integration_id
