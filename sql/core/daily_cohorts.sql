-- Purchases of the customers acquired on a day, by month since. A customer has one acquisition day and
-- one value of each attribute, so the customers who bought in a month can be summed over these, but not over months.
-- Grain: one row per day and attributes of the first order, and month since.
-- Key: * exclude (customers, revenue, direct_revenue, repeat_revenue)
-- Kept for: analyses
-- Order: all
-- Sums: customers, revenue, direct_revenue, repeat_revenue

select
    * exclude (customer_no, bought_month, month_no, revenue, direct_revenue, repeat_revenue),
    month_no,
    count(*) as customers,
    sum(revenue) as revenue,
    coalesce(sum(direct_revenue), 0) as direct_revenue,
    coalesce(sum(repeat_revenue), 0) as repeat_revenue
from customer_months
group by all
