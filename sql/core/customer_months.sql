-- What each customer bought in each calendar month: cohorts and paybacks are sums of these rows.
-- Grain: one row per customer and month with a counted order. When a first purchase spans two stores in different time
-- zones [D6], a part may have an earlier month than the first order: it is counted in the month of the first order.
-- `month_no` is the number of months since that month. `direct_revenue` is that of the first purchase,
-- `repeat_revenue` the rest. The customers of a quarter or a year are the rows that are the customer's first in it, and
-- those who came back the rows that are the customer's first with a later purchase: rows of earlier months never change.
-- `earlier_revenue` is the customer's revenue of the months before.
-- Key: customer_no, bought_month
-- Kept for: analyses
-- Partition: days of bought_month
-- Order: first_on, customer_no, bought_month
-- Row group: 20480
-- Per: customer

with

described as (

    select
        customer_no,
        greatest(ordered_month, first_month) as bought_month,
        -- As in customers: `first_channel` is called `channel`.
        any_value(columns('^first_(.+)$')) as '\1',
        sum(revenue)::decimal(38, 6) as revenue,
        sum(revenue) filter (where not is_recurring)::decimal(38, 6) as direct_revenue,
        sum(revenue) filter (where is_recurring)::decimal(38, 6) as repeat_revenue
    from orders
    where customer_no is not null
    group by customer_no, bought_month

)

select
    * rename ("on" as first_on, "month" as first_month),
    date_diff('month', first_month, bought_month) as month_no,
    coalesce(
        bought_month = min(case when repeat_revenue is not null then bought_month end) over whole_history, false
    ) as is_first_repeat,
    date_trunc('quarter', bought_month) is distinct from date_trunc('quarter', lag(bought_month) over whole_history)
        as is_first_in_quarter,
    date_trunc('year', bought_month) is distinct from date_trunc('year', lag(bought_month) over whole_history)
        as is_first_in_year,
    coalesce(
        sum(revenue) over (
            partition by customer_no order by bought_month rows between unbounded preceding and 1 preceding
        ),
        0
    )::decimal(38, 6) as earlier_revenue
from described
window whole_history as (
    partition by customer_no order by bought_month rows between unbounded preceding and unbounded following
)
