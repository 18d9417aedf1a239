-- Orders per day, by their store and source, already summed: `daily_orders` for answers about a store or a channel [D86].
-- Grain: one row per day, store, channel, campaign and strategy of the orders themselves.
-- Key: ordered_on, integration_id, channel, campaign_key, campaign_connector, strategy
-- Kept for: analyses
-- Order: ordered_on, integration_id, channel, campaign_key, campaign_connector, strategy
-- Sums: orders, recurring_orders, revenue, cost, revenue_with_cost, shipping, tax, orders_with_shipping, orders_with_tax, orders_with_cost

select
    ordered_on,
    integration_id,
    channel,
    campaign_key,
    campaign_connector,
    strategy,
    count(*) as orders,
    count(*) filter (where is_recurring) as recurring_orders,
    sum(revenue) as revenue,
    coalesce(sum(cost) filter (where has_real_cost), 0) as cost,
    coalesce(sum(revenue) filter (where has_real_cost), 0) as revenue_with_cost,
    coalesce(sum(shipping_charged), 0) as shipping,
    coalesce(sum(tax_charged), 0) as tax,
    count(*) filter (where shipping_charged <> 0) as orders_with_shipping,
    count(*) filter (where tax_charged <> 0) as orders_with_tax,
    count(*) filter (where has_real_cost) as orders_with_cost
from orders
group by ordered_on, integration_id, channel, campaign_key, campaign_connector, strategy
