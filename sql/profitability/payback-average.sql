-- The payback curve of all months together: what a customer had brought in by each month since the first order, on
-- average of the customers for whom that month is complete.
-- Grain: one row per month since, up to the last one that is complete for anyone.
-- Parameters: start_date, end_date (of first orders, inclusive; null for the whole history), break_by (null).
-- Follows [D52].

with

cohorts as (from acquired_cohorts()),

pooled as (

    select
        month_no,
        sum(customers)::bigint as customers,
        sum(revenue) as revenue,
        sum(square_thousands) as square_thousands,
        sum(square_rest) as square_rest
    from payback_points('cohorts')
    where is_complete
    group by month_no

),

figures as (

    select
        pooled.*,
        safe_divide(pooled.revenue * margin.margin_rate, pooled.customers) as per_customer,
        pooled.error * margin.margin_rate::double as error_of_contribution
    from with_errors('pooled') as pooled
    cross join margin

)

select
    month_no as month,
    customers,
    average(per_customer) as "perCustomer",
    bound(per_customer - error_of_contribution) as lower,
    bound(per_customer + error_of_contribution) as upper
from figures
order by month_no
