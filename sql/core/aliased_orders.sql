-- Counted orders whose e-mail is an alias and identifies nobody [D5]. The alias is stored without any part that could
-- be a person's.
-- Grain: one row per integration and alias. `identified` orders have a customer through the platform's own id; the
-- others are anonymous.
-- Key: integration_id, email_alias
-- Kept for: analyses
-- Order: integration_id, email_alias
-- Sums: orders, identified, revenue

select
    integration_id,
    email_alias,
    count(*) as orders,
    count(person_id) as identified,
    sum(revenue)::decimal(38, 6) as revenue
from identified_orders
where is_counted and email_alias is not null
group by all
