-- A customer's figures are the sums of the customer's orders; every customer has a first order.

with

sums as (

    select
        customer_no,
        count(*) as orders,
        sum(revenue) as revenue,
        coalesce(sum(revenue) filter (where date_trunc('month', ordered_on) > date_trunc('month', first_on)), 0) as later_revenue
    from orders
    where customer_no is not null
    group by all

)

select customer_no, customers.orders, sums.orders, customers.revenue, sums.revenue, customers.retention_revenue
from customers
full join sums using (customer_no)
where customers.orders is distinct from sums.orders
    or customers.revenue is distinct from sums.revenue
    or customers.retention_revenue is distinct from sums.later_revenue
