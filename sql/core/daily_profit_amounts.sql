-- What each day is worth on each line of the statement of profit, already summed: that of its orders, expenses and spend. Fixed costs
-- by rules, which every day has, are not there.
-- Grain: one row per store, day, line, part and measure, as of `profit_amounts`; the part of expenses has the largest `part_no`.
-- `integration_id` is null for spend and for expenses of no store. What went back is there twice: on its own day, with `refunds_on`
-- 'refund', and on that of its order, with 'order'; all else has null. An expense of an item makes it known of the orders of its day;
-- where it is of no store, these are `unknown of store`: unknown in the statement of a store only.
-- Follows [D70], [D71], [D72], [D73], [D74].
-- Key: integration_id, refunds_on, day_on, line, part_no, measure
-- Kept for: analyses
-- Order: day_on, integration_id, refunds_on, line, part_no, measure

with

rules as (from cost_rules),

daily_rows as (from daily_profit_facts),

spend_rows as (from media_spend),

facts as materialized (from facts_of_rules('daily_rows', 'rules')),

known_by_expense as (

    select
        expenses.spent_on,
        expenses.item,
        stores.integration_id,
        bool_or(expenses.integration_id is not null) as is_of_store
    from daily_expenses as expenses
    join integrations as stores
        on stores.kind = 'store' and coalesce(expenses.integration_id = stores.integration_id, true)
    group by expenses.spent_on, expenses.item, stores.integration_id

),

all_amounts as (

    select
        amounts.* exclude (ordered_on)
            replace (case when known.item is not null then 'unknown of store' else amounts.measure end as measure)
    from dated_amounts('facts', 'rules') as amounts
    left join known_by_expense as known
        on amounts.measure = 'unknown'
        and known.item = amounts.line
        and known.spent_on = amounts.ordered_on
        and known.integration_id = amounts.integration_id
    where not coalesce(known.is_of_store, false)

    union all

    select integration_id, null, spent_on, item, expenses_part(), 'amount', -line_amount(amount), 0, 0
    from daily_expenses

    union all

    from media_amounts('spend_rows')

)

select
    integration_id,
    refunds_on,
    day_on,
    line,
    part_no,
    measure,
    sum(amount) as amount,
    sum(orders)::bigint as orders,
    sum(units)::bigint as units
from all_amounts
group by integration_id, refunds_on, day_on, line, part_no, measure
