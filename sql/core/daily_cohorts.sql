-- Purchases of the customers acquired on a day, by month since. A customer has one acquisition day, channel, campaign
-- and coupon, so the customers who bought in a month can be summed over all of these, but not over months.
-- Grain: one row per day, channel, campaign, strategy and coupon of the first order, and month since.
-- Key: first_on, channel, campaign_key, campaign_connector, strategy, coupon, month_no
-- Kept for: analyses
-- Order: first_on, channel, campaign_key, campaign_connector, strategy, coupon, month_no

select
    first_on,
    first_month,
    channel,
    campaign_key,
    campaign_connector,
    strategy,
    coupon,
    month_no,
    count(*) as customers,
    sum(revenue) as revenue,
    sum(direct_revenue) as direct_revenue,
    sum(repeat_revenue) as repeat_revenue
from customer_months
group by first_on, first_month, channel, campaign_key, campaign_connector, strategy, coupon, month_no
