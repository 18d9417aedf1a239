-- Counted orders whose e-mail is an alias: only the platform's own id can identify the customer, and one person in two
-- stores is two customers [D5]. No e-mail is shown, only what its aliases have in common.
-- Grain: one row per integration and alias, by revenue. Parameters: none.

select
    integrations.integration_name as integration,
    aliased_orders.integration_id as "integrationId",
    aliased_orders.email_alias as alias,
    aliased_orders.orders::int as orders,
    (aliased_orders.orders - aliased_orders.identified)::int as anonymous,
    money(aliased_orders.revenue) as revenue
from aliased_orders
join integrations on integrations.integration_id = aliased_orders.integration_id
order by revenue desc, "integrationId", alias
