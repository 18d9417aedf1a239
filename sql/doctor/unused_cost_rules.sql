-- Cost rules of the settings that never held for an order [D70].
-- Grain: one row per rule, in the settings' order. Parameters: none.

with

numbered as materialized (

    select row_number() over () as fact_no, * from daily_profit_facts

)

select rule_no as rule, item, name
from cost_rules
where not of_margin
    and item <> 'fixed'
    and rule_no not in (select part_no - 1 from profit_amounts('numbered') where measure = 'amount' and part_no > 1)
order by rule_no
