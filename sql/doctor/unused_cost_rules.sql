-- Cost rules of the settings that never held for an order [D70].
-- Grain: one row per rule, in the settings' order. Parameters: none.

select rule_no as rule, item, name
from cost_rules
where not of_margin
    and item <> 'fixed'
    and rule_no not in (select part_no - 1 from daily_profit_amounts where measure = 'amount')
order by rule_no
