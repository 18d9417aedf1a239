-- What is not known of the costs of the orders of a period, in the order of the statement's lines.
-- Grain: one row per item of which something is not known.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D70], [D72], [D74], [D76].

with

windows as materialized (

    select
        1 as window_no,
        coalesce(period_start(), min(ordered_on)) as first_on,
        coalesce(period_end(), max(ordered_on)) as last_on
    from daily_profit_facts

),

window_sums as materialized (from profit_sums('windows', 'order')),

knowledge as (from profit_knowledge('windows', 'window_sums'))

select item, orders, money(revenue) as revenue, units, products
from missing_costs('windows', 'knowledge', 'order')
order by line_no
