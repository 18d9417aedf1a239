-- Counted orders without a customer: they have neither a real e-mail nor the platform's customer id [D5]. They count in
-- revenue and orders, and in no customer figure.
-- Grain: one row per integration, by revenue; the percentage is that of the integration's revenue. Parameters: none.

select
    any_value(integrations.integration_name) as integration,
    orders.integration_id as "integrationId",
    (count(*) filter (where orders.customer_no is null))::int as orders,
    money(sum(orders.revenue) filter (where orders.customer_no is null)) as revenue,
    percentage(
        100 * safe_divide(sum(orders.revenue) filter (where orders.customer_no is null), sum(orders.revenue))
    ) as "percentOfRevenue"
from orders
join integrations on integrations.integration_id = orders.integration_id
group by orders.integration_id
having bool_or(orders.customer_no is null)
order by revenue desc, "integrationId"
