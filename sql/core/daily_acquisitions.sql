-- Customers acquired per day, by the source of their first order.
-- Grain: one row per day and attributes of the first order. Revenue is to date.
-- Key: all but the sums
-- Kept for: analyses
-- Order: all
-- Sums: customers, repurchase_customers, revenue, retention_revenue

select
    * exclude (integration_id, customers, repurchase_customers, revenue, retention_revenue),
    sum(customers)::bigint as customers,
    sum(repurchase_customers)::bigint as repurchase_customers,
    sum(revenue) as revenue,
    sum(retention_revenue) as retention_revenue
from daily_acquisitions_by_store
group by all
