-- Counted orders that are nobody's, without an e-mail that tells who bought and without the platform's id [D5]: they
-- count in revenue and orders, and in no customer figure, which are the less worth the more of these there are.
-- Grain: one row per integration, by revenue; the percentage is that of the integration's revenue. Parameters: none.

select
    any_value(integrations.integration_name) as integration,
    orders.integration_id as "integrationId",
    (count(*) filter (where orders.customer_no is null))::int as orders,
    money(sum(orders.revenue) filter (where orders.customer_no is null)) as revenue,
    percentage(
        100 * per(sum(orders.revenue) filter (where orders.customer_no is null), sum(orders.revenue))
    ) as "percentOfRevenue"
from orders
join integrations on integrations.integration_id = orders.integration_id
group by orders.integration_id
having bool_or(orders.customer_no is null)
order by revenue desc, "integrationId"
