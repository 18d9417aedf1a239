-- Counted orders in another currency than the one that revenue is summed in: they are summed as if they were in it
-- [D4].
-- Grain: one row per integration and currency, by revenue. Parameters: none.

with

own as (

    select coalesce(
        (select currency from organization),
        (select currency from orders where currency is not null group by currency order by count(*) desc, currency limit 1)
    ) as currency

)

select
    integrations.integration_name as integration,
    orders.integration_id as "integrationId",
    orders.currency,
    count(*)::int as orders,
    money(sum(orders.revenue)) as revenue
from orders
join integrations on integrations.integration_id = orders.integration_id
cross join own
where orders.currency <> own.currency
group by all
order by revenue desc, "integrationId", orders.currency
