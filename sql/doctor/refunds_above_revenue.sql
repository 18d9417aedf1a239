-- Counted orders of which more was given back than they brought: what is above their revenue is left out [D73].
-- Grain: one row per order, by what is left out. `refunded` is what the store says it gave back, `revenue` that of the order.
-- Parameters: none.

select
    any_value(integrations.integration_name) as integration,
    refunds.integration_id as "integrationId",
    refunds.order_id as "orderId",
    1 as orders,
    money(sum(refunds.amount + refunds.excess)) as refunded,
    money(any_value(orders.revenue)) as revenue
from refunds
join orders on orders.integration_id = refunds.integration_id and orders.order_id = refunds.order_id
join integrations on integrations.integration_id = refunds.integration_id
group by refunds.integration_id, refunds.order_id
having sum(refunds.excess) > 0
order by sum(refunds.excess) desc, "integrationId", "orderId"
