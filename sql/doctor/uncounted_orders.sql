-- Orders that are not counted, by the reason [D3].
-- Grain: one row per integration, reason, status as exported and currency, by revenue. Parameters: none.

select
    integrations.integration_name as integration,
    order_statuses.integration_id as "integrationId",
    order_statuses.exclusion_reason as reason,
    order_statuses.status,
    order_statuses.currency,
    order_statuses.orders::int as orders,
    money(order_statuses.revenue) as revenue
from order_statuses
join integrations on integrations.integration_id = order_statuses.integration_id
where order_statuses.exclusion_reason is not null
order by revenue desc, "integrationId", reason, status, order_statuses.currency
