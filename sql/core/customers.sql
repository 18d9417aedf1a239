-- The people who bought, each described by the first order [D5], [D6].
-- Grain: one row per customer. Revenue is to date.
-- Key: customer_no
-- Kept for: analyses
-- Order: first_on, customer_no
-- Per: customer

select
    customer_no,
    any_value(first_on) as first_on,
    any_value(first_month) as first_month,
    any_value(first_channel) as channel,
    any_value(first_campaign_key) as campaign_key,
    any_value(first_campaign_connector) as campaign_connector,
    any_value(first_strategy) as strategy,
    any_value(first_coupon) as coupon,
    count(*) as orders,
    bool_or(is_recurring) as has_repurchased,
    sum(revenue) as revenue,
    -- In calendar months after that of the first order [D25].
    coalesce(sum(revenue) filter (where ordered_month > first_month), 0) as retention_revenue
from orders
where customer_no is not null
group by customer_no
