-- The statuses of all orders, with the reason why those that are not counted are excluded [D3].
-- Grain: one row per integration, status as exported, reason (`incomplete`, `replaced`, `cancelled`, `test`, `unpaid`;
-- null for counted orders) and currency. `is_known`: whether the platform has such a status.
-- Key: integration_id, status, exclusion_reason, currency
-- Kept for: analyses
-- Order: integration_id, status, exclusion_reason, currency
-- Sums: orders, revenue

select
    integration_id,
    status,
    is_known_status(connector, status) as is_known,
    exclusion_reason,
    currency,
    count(*) as orders,
    sum(revenue)::decimal(38, 6) as revenue
from identified_orders
group by all
