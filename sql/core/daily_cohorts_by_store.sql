-- Purchases of the customers acquired on a day, by month since and store of the first order [D86]. A customer has one acquisition day and
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
        customer_no, bought_month, month_no, revenue, direct_revenue, repeat_revenue,
        is_first_repeat, is_first_in_quarter, is_first_in_year, earlier_revenue
    ),
    month_no,
    count(*) as customers,
    count(*) filter (where is_first_in_quarter) as quarter_customers,
    count(*) filter (where is_first_in_year) as year_customers,
    count(*) filter (where is_first_repeat) as repurchase_customers,
    sum(revenue) as revenue,
    coalesce(sum(direct_revenue), 0) as direct_revenue,
    coalesce(sum(repeat_revenue), 0) as repeat_revenue,
    sum(thousands_of_square(revenue, earlier_revenue))::decimal(38, 0) as square_thousands,
    sum(rest_of_square(revenue, earlier_revenue))::decimal(38, 0) as square_rest
from customer_months
group by all
