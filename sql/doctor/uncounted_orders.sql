-- Orders that do not count, by what keeps them out [D3].
-- Grain: one row per integration, reason, status as exported and currency, by revenue. Parameters: none.

select
    integrations.integration_name as integration,
    uncounted_orders.integration_id as "integrationId",
    uncounted_orders.uncounted_for as reason,
    uncounted_orders.status,
    uncounted_orders.currency,
    uncounted_orders.orders::int as orders,
    money(uncounted_orders.revenue) as revenue
from uncounted_orders
join integrations on integrations.integration_id = uncounted_orders.integration_id
order by revenue desc, "integrationId", reason, status, uncounted_orders.currency
