-- The figures of one state by step: those of the cards, and the lines of the statement of profit. Run over each state that is compared.
-- Grain: one row per step and figure. `exact` is not rounded; `shown` is what the cards and the statement of the step show.
-- Parameters: start_date, end_date (inclusive; null for all months of either state), granularity (month, none).
-- Variables: marts (the state), marts_before, marts_after (those whose days are compared).
-- Follows [D8], [D74], [D84].

with

steps as materialized (from compared_steps(getvariable('marts_before'), getvariable('marts_after'))),

window_sums as materialized (from profit_sums('steps', 'daily_profit_amounts', 'refund')),

rounded_lines as materialized (

    select *, rounded_sum(exact) as amount
    from exact_lines('steps', 'window_sums')

),

figures as materialized (from day_figures('steps')),

all_figures as (

    select window_no, 1 as figure_no, 'revenue' as figure, revenue::decimal(38, 18) as exact, rounded_sum(revenue) as shown
    from figures

    union all

    select window_no, 2, 'orders', orders, orders
    from figures

    union all

    select window_no, 3, 'investment', investment, rounded_sum(investment)
    from figures

    union all

    select window_no, 4, 'newCustomers', new_customers, new_customers
    from figures

    union all

    select window_no, 5, 'contributionProfit', contribution_profit, rounded_sum(contribution_profit)
    from figures

    union all

    select window_no, 5 + line_no, line, exact, amount
    from with_totals('rounded_lines')
    where line not in ('revenue', 'media')

)

select steps.month_on, all_figures.*
from all_figures
join steps on steps.window_no = all_figures.window_no
