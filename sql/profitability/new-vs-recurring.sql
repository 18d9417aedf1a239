-- New and returning customers over time.
-- Grain: one row per day or month, gaps included [D28]: a day up to 92 days, else the month cut to the period.
-- Parameters: start_date, end_date (inclusive; null for the whole history).

with

points as (

    select * from covered_steps(granularity())

),

new_customers as (

    select points.point_on, sum(daily_totals.new_customers)::bigint as customers
    from analysed_totals() as daily_totals
    join points on daily_totals.day_on between points.first_on and points.last_on
    group by points.point_on

),

-- Customers with an order in the point and one before it, by their first order in the point.
returning_customers as (

    select points.point_on, count(*) as customers
    from analysed_orders() as orders
    join points on orders.ordered_on between points.first_on and points.last_on
    where orders.previous_on < points.first_on
    group by points.point_on

)

select
    points.point_on as "date",
    or_zero(new_customers.customers) as "newCustomers",
    or_zero(returning_customers.customers) as "recurringCustomers",
    or_zero(new_customers.customers) + or_zero(returning_customers.customers) as customers
from points
left join new_customers on new_customers.point_on = points.point_on
left join returning_customers on returning_customers.point_on = points.point_on
order by points.point_on
