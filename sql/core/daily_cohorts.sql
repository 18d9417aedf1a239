-- Purchases of the customers acquired on a day, by month since. A customer has one acquisition day and
-- one value of each attribute, so the customers who bought in a month can be summed over these, but not over months:
-- `quarter_customers` and `year_customers` are those who had not bought yet in that calendar quarter or year, and can be
-- summed over its months. `repurchase_customers` are those who came back in it for the first time.
-- Grain: one row per day and attributes of the first order, and month since.
-- Key: * exclude (customers, quarter_customers, year_customers, repurchase_customers, revenue, direct_revenue, repeat_revenue)
-- Kept for: analyses
-- Order: all
-- Sums: customers, quarter_customers, year_customers, repurchase_customers, revenue, direct_revenue, repeat_revenue

select
    * exclude (
        customer_no, bought_month, month_no, revenue, direct_revenue, repeat_revenue,
        is_first_repeat, is_first_in_quarter, is_first_in_year
    ),
    month_no,
    count(*) as customers,
    count(*) filter (where is_first_in_quarter) as quarter_customers,
    count(*) filter (where is_first_in_year) as year_customers,
    count(*) filter (where is_first_repeat) as repurchase_customers,
    sum(revenue) as revenue,
    coalesce(sum(direct_revenue), 0) as direct_revenue,
    coalesce(sum(repeat_revenue), 0) as repeat_revenue
from customer_months
group by all
