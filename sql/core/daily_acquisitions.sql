-- Customers acquired per day, by the source of their first order.
-- Grain: one row per day, channel, campaign, strategy and coupon of the first order. Revenue is to date.
-- Key: first_on, channel, campaign_key, campaign_connector, strategy, coupon
-- Kept for: analyses
-- Order: first_on, channel, campaign_key, campaign_connector, strategy, coupon

select
    first_on,
    first_month,
    channel,
    campaign_key,
    campaign_connector,
    strategy,
    coupon,
    count(*) as customers,
    count(*) filter (where has_repurchased) as repurchase_customers,
    sum(revenue) as revenue,
    sum(retention_revenue) as retention_revenue
from customers
group by first_on, first_month, channel, campaign_key, campaign_connector, strategy, coupon
