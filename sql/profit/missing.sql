-- What is not known of the costs of a period, in the order of the statement's lines.
-- Grain: one row per item of which something is not known. Units that were sold and came back in the period are there once.
-- Parameters: start_date, end_date (inclusive; null for the whole history), integration_id, channel, refunds_on (all may be missing).
-- Follows [D18], [D70], [D72], [D74], [D86].

with

windows as materialized (from statement_windows()),

knowledge as materialized (from statement_knowledge()),

missing as (

    from missing_costs('windows', 'knowledge', refunds_on())

    union all

    -- Costs of days: the period has days, and no rule or expense says anything of them.
    select line_no, line, null, null, null, null
    from knowledge
    where line = 'fixed' and has_anything and not exists (from statement_parts() as parts where parts.line = 'fixed')

)

select item, orders, money(revenue) as revenue, units, products
from missing
order by line_no
