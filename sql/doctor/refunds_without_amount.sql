-- Refunds of counted orders of which an export has units and no amounts: what they gave back is unknown [D73].
-- Grain: one row per integration, by the number of orders; `revenue` is that of these orders. Parameters: none.

with

-- Grain: one row per order.
unknown_orders as (

    select distinct refunds.integration_id, refunds.order_id, orders.revenue
    from refunds
    join orders on orders.integration_id = refunds.integration_id and orders.order_id = refunds.order_id
    where refunds.amount is null

)

select
    any_value(integrations.integration_name) as integration,
    unknown_orders.integration_id as "integrationId",
    count(*)::int as orders,
    money(sum(unknown_orders.revenue)) as revenue
from unknown_orders
join integrations on integrations.integration_id = unknown_orders.integration_id
group by unknown_orders.integration_id
order by orders desc, "integrationId"
