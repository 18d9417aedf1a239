-- Counted orders whose e-mail is an alias and identifies nobody [D5]. The alias is stored without any part that could
-- be a person's.
-- Grain: one row per integration and alias. `identified` orders have a customer through the platform's own id; the
-- others are anonymous.
-- Key: integration_id, email_alias
-- Kept for: analyses
-- Order: integration_id, email_alias

select
    identified_orders.integration_id,
    identified_orders.email_alias,
    count(*) as orders,
    count(orders.customer_no) as identified,
    sum(orders.revenue)::decimal(38, 6) as revenue
from identified_orders
join orders on orders.integration_id = identified_orders.integration_id and orders.order_id = identified_orders.order_id
where identified_orders.email_alias is not null
group by all
