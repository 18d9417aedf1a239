-- Purchases of the customers acquired on a day, by month since. A customer has one acquisition day and
-- one value of each attribute, so the customers who bought in a month can be summed over these, but not over months:
-- `quarter_customers` and `year_customers` are those who had not bought yet in that calendar quarter or year, and can be
-- summed over its months. `repurchase_customers` are those who came back in it for the first time.
-- The squares are those of the customers' revenue up to a month: what a month adds to them, so that they are summed over
-- months, too. They are exact: in millionths squared, `square_thousands` × 1e9 + `square_rest`. One number of 38 digits
-- would not hold them; these hold a million customers of 1e12 each.
-- Grain: one row per day and attributes of the first order, and month since.
-- Key: all but the sums
-- Kept for: analyses
-- Order: all
-- Sums: customers, quarter_customers, year_customers, repurchase_customers, revenue, direct_revenue, repeat_revenue,
--   square_thousands, square_rest

select
    * exclude (
        integration_id, customers, quarter_customers, year_customers, repurchase_customers, revenue, direct_revenue,
        repeat_revenue, square_thousands, square_rest
    ),
    sum(customers)::bigint as customers,
    sum(quarter_customers)::bigint as quarter_customers,
    sum(year_customers)::bigint as year_customers,
    sum(repurchase_customers)::bigint as repurchase_customers,
    sum(revenue) as revenue,
    sum(direct_revenue) as direct_revenue,
    sum(repeat_revenue) as repeat_revenue,
    sum(square_thousands) as square_thousands,
    sum(square_rest) as square_rest
from daily_cohorts_by_store
group by all
