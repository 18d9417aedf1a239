-- Counted orders with revenue of which no line has landed, as from an export without that column: figures by product lack
-- them, and their cost is unknown.
-- Grain: one row per integration, by revenue; the percentage is that of the integration's revenue. Parameters: none.

with

-- Grain: one row per counted order with revenue.
priced_orders as (

    select
        orders.integration_id,
        orders.revenue,
        not exists (
            from order_lines
            where order_lines.integration_id = orders.integration_id and order_lines.order_id = orders.order_id
        ) as is_without_lines
    from orders
    where orders.revenue > 0

)

select
    any_value(integrations.integration_name) as integration,
    priced_orders.integration_id as "integrationId",
    (count(*) filter (where priced_orders.is_without_lines))::int as orders,
    money(sum(priced_orders.revenue) filter (where priced_orders.is_without_lines)) as revenue,
    percentage(
        100 * safe_divide(
            sum(priced_orders.revenue) filter (where priced_orders.is_without_lines), sum(priced_orders.revenue)
        )
    ) as "percentOfRevenue"
from priced_orders
join integrations on integrations.integration_id = priced_orders.integration_id
group by priced_orders.integration_id
having bool_or(priced_orders.is_without_lines)
order by revenue desc, "integrationId"
