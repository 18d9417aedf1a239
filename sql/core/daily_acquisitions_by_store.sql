-- Customers acquired per day, by the store and source of their first order: `daily_acquisitions` for answers about a store or a
-- channel [D86].
-- Grain: one row per day and attributes of the first order. Revenue is to date.
-- Key: all but the sums
-- Kept for: analyses
-- Order: all
-- Sums: customers, repurchase_customers, revenue, retention_revenue

select
    * exclude (customer_no, orders, has_repurchased, revenue, retention_revenue),
    count(*) as customers,
    count(*) filter (where has_repurchased) as repurchase_customers,
    sum(revenue) as revenue,
    sum(retention_revenue) as retention_revenue
from customers
group by all
