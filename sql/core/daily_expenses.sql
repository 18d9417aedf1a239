-- The expenses that count, by day and item: those of several days are spread evenly, with the remainder on the last day [D10].
-- One that names a day and is of the whole month is spread over the month.
-- Grain: one row per day, item and store of an expense; `integration_id` is null for those of no store.
-- Follows [D71].
-- Key: spent_on, item, integration_id
-- Kept for: analyses
-- Order: spent_on, item, integration_id

with

counted_expenses as (

    select
        item,
        integration_id,
        amount,
        if(is_of_month, date_trunc('month', date_start)::date, date_start) as date_start,
        if(is_of_month, last_day(date_start), date_stop) as date_stop
    from expenses
    where counts

),

expense_days as (

    select *, date_stop - date_start + 1 as days, unnest(generate_series(0, date_stop - date_start)) as day_no
    from counted_expenses

)

select
    (date_start + day_no::integer)::date as spent_on,
    item,
    integration_id,
    sum(day_part(amount, day_no, days))::decimal(38, 6) as amount
from expense_days
group by all
