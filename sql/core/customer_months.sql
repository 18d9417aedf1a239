-- What each customer bought in each calendar month: cohorts and paybacks are sums of these rows.
-- Grain: one row per customer and month with a counted order. When a first purchase spans two stores in different time
-- zones [D6], a part may have an earlier month than the first order: it is counted in the month of the first order.
-- `month_no` is the number of months since that month. `direct_revenue` is that of the first purchase,
-- `repeat_revenue` the rest.
-- Key: customer_no, bought_month
-- Kept for: analyses
-- Order: first_on, customer_no, bought_month
-- Per: customer

select
    customer_no,
    first_on,
    first_month,
    greatest(ordered_month, first_month) as bought_month,
    date_diff('month', first_month, greatest(ordered_month, first_month)) as month_no,
    any_value(first_channel) as channel,
    any_value(first_campaign_key) as campaign_key,
    any_value(first_campaign_connector) as campaign_connector,
    any_value(first_strategy) as strategy,
    any_value(first_coupon) as coupon,
    sum(revenue)::decimal(38, 6) as revenue,
    sum(revenue) filter (where not is_recurring)::decimal(38, 6) as direct_revenue,
    sum(revenue) filter (where is_recurring)::decimal(38, 6) as repeat_revenue
from orders
where customer_no is not null
group by customer_no, first_on, first_month, bought_month
