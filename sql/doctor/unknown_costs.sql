-- Costs of orders of which no rule and no record says anything: the statement of profit deducts nothing for them [D74]. Only of an
-- organization that has rules of its own, or tables of costs.
-- Grain: one row per item, by the revenue of the orders. Parameters: none.

select line as item, sum(orders)::bigint::double as orders, money(sum(amount)) as revenue
from daily_profit_amounts
where measure = 'unknown'
    and line <> 'goods'
    and (
        exists (from cost_rules where not of_margin)
        or exists (from daily_expenses)
        or exists (from payment_fees)
        or exists (from product_costs)
    )
group by line
order by revenue desc, item
