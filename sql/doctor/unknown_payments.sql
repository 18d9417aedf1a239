-- Names of payments that nothing knows: neither the settings nor the store nor the table of names says the way of paying, so that
-- these orders are of `other` [D88].
-- Grain: one row per integration and name as exported, by the revenue that counts. Parameters: none.

select
    any_value(integrations.integration_name) as integration,
    order_payments.integration_id as "integrationId",
    order_payments.payment_method as payment,
    sum(order_payments.orders)::int as orders,
    sum(order_payments.counted)::int as counted,
    money(sum(order_payments.revenue)) as revenue
from order_payments
join integrations on integrations.integration_id = order_payments.integration_id
where not order_payments.is_known
group by order_payments.integration_id, order_payments.payment_method
order by revenue desc, "integrationId", order_payments.payment_method
