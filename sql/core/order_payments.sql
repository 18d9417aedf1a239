-- The names of payments that orders go by, with the way of paying that they mean [D88].
-- Grain: one row per integration, name as exported and way of paying; null for orders without a name. `is_known`: whether a rule of
-- the settings, the store, the table of names or the company of a card says the way of paying. `revenue` is that of counted orders.
-- Key: integration_id, payment_method, payment_group, is_known
-- Kept for: analyses
-- Order: integration_id, payment_method, payment_group, is_known
-- Sums: orders, counted, revenue

select
    integration_id,
    payment_method,
    payment_group,
    is_known_payment as is_known,
    count(*) as orders,
    count(*) filter (where is_counted) as counted,
    coalesce(sum(revenue) filter (where is_counted), 0)::decimal(38, 6) as revenue
from identified_orders
group by all
