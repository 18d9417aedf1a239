-- Orders per day, by their source, already summed.
-- Grain: one row per day, channel, campaign and strategy of the orders themselves.
-- Key: ordered_on, channel, campaign_key, campaign_connector, strategy
-- Kept for: analyses
-- Order: ordered_on, channel, campaign_key, campaign_connector, strategy
-- Sums: orders, recurring_orders, revenue, cost, revenue_with_cost, shipping, tax, orders_with_shipping, orders_with_tax, orders_with_cost

select
    ordered_on,
    channel,
    campaign_key,
    campaign_connector,
    strategy,
    sum(orders)::bigint as orders,
    sum(recurring_orders)::bigint as recurring_orders,
    sum(revenue) as revenue,
    sum(cost) as cost,
    sum(revenue_with_cost) as revenue_with_cost,
    sum(shipping) as shipping,
    sum(tax) as tax,
    sum(orders_with_shipping)::bigint as orders_with_shipping,
    sum(orders_with_tax)::bigint as orders_with_tax,
    sum(orders_with_cost)::bigint as orders_with_cost
from daily_orders_by_store
group by ordered_on, channel, campaign_key, campaign_connector, strategy
