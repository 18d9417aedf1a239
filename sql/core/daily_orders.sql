-- Orders per day, by their source, already summed.
-- Grain: one row per day, channel, campaign and strategy of the orders themselves.
-- Key: ordered_on, channel, campaign_key, campaign_connector, strategy
-- Kept for: analyses
-- Order: ordered_on, channel, campaign_key, campaign_connector, strategy

select
    ordered_on,
    channel,
    campaign_key,
    campaign_connector,
    strategy,
    count(*) as orders,
    count(*) filter (where is_recurring) as recurring_orders,
    sum(revenue) as revenue,
    coalesce(sum(cost) filter (where has_real_cost), 0) as cost,
    coalesce(sum(revenue) filter (where has_real_cost), 0) as revenue_with_cost
from orders
group by ordered_on, channel, campaign_key, campaign_connector, strategy
