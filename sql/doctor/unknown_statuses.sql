-- Order statuses that neither the platform has nor the rules know, such as hand-written ones: only the dates decide
-- whether such an order counts [D3], so `separado` counts as a sale of storea.
-- Grain: one row per integration and status as exported, by the revenue that counts. Parameters: none.

select
    any_value(integrations.integration_name) as integration,
    order_statuses.integration_id as "integrationId",
    order_statuses.status,
    sum(order_statuses.orders)::int as orders,
    coalesce(sum(order_statuses.orders) filter (where order_statuses.exclusion_reason is null), 0)::int as counted,
    money(coalesce(sum(order_statuses.revenue) filter (where order_statuses.exclusion_reason is null), 0)) as revenue
from order_statuses
join integrations on integrations.integration_id = order_statuses.integration_id
where not order_statuses.is_known
group by order_statuses.integration_id, order_statuses.status
order by revenue desc, "integrationId", order_statuses.status
