-- Costs of orders of which no rule and no record says anything: the statement of profit deducts nothing for them [D74]. Only of an
-- organization that has rules of its own, or tables of costs.
-- Grain: one row per item, by the revenue of the orders. Parameters: none.

with

numbered as materialized (

    select row_number() over () as fact_no, * from daily_profit_facts

),

unknown as (

    select amounts.line as item, facts.ordered_on, facts.integration_id, amounts.orders, amounts.amount as revenue
    from profit_amounts('numbered') as amounts
    join numbered as facts on facts.fact_no = amounts.fact_no
    where amounts.measure = 'unknown' and amounts.line <> 'goods'

)

select unknown.item, sum(unknown.orders)::bigint::double as orders, money(sum(unknown.revenue)) as revenue
from unknown
where (
        exists (from cost_rules where not of_margin)
        or exists (from daily_expenses)
        or exists (from payment_fees)
        or exists (from product_costs)
    )
    and not exists (
        from daily_expenses as expenses
        where expenses.item = unknown.item
            and expenses.spent_on = unknown.ordered_on
            and coalesce(expenses.integration_id = unknown.integration_id, true)
    )
group by unknown.item
order by revenue desc, unknown.item
