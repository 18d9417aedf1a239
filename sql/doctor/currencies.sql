-- Counted orders whose currency is not the organization's: they are summed as if they were [D4].
-- Grain: one row per integration and currency. Parameters: none.

select orders.integration_id, orders.currency, count(*) as orders, sum(orders.revenue) as revenue
from orders
cross join organization
where orders.currency <> organization.currency
group by all
order by revenue desc, orders.integration_id, orders.currency
