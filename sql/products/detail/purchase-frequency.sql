-- How often the period's buyers of this product bought it in the period.
-- Grain: one row; `rows` has one for customers with one order of it, one for two, …
-- Parameters: integration_id, product_id, date_from, date_to, now.
-- Follows [D40]. `averageDaysBetween` is over all pairs of successive orders of a customer, by their days. Anonymous
-- orders are a base for the block, but belong to no customer.

with

purchases as (

    select
        customer_no,
        sold_on - lag(sold_on) over (partition by customer_no order by sold_at, order_id) as days_since_previous
    from period_sales_of_product()
    where customer_no is not null

),

buyers as (

    select customer_no, count(*) as purchases
    from purchases
    group by customer_no

),

frequencies as (

    select purchases, count(*) as customers, sum(count(*)) over () as all_customers
    from buyers
    group by purchases

),

frequency_rows as (

    select
        list(
            {purchases: purchases, customers: customers, share: ratio(safe_divide(customers, all_customers))}
            order by purchases
        ) as rows
    from frequencies

),

gaps as (

    select safe_divide(sum(days_since_previous), count(days_since_previous)) as average_days from purchases

),

base as (

    select count(*) as orders from period_sales_of_product()

)

select
    block_reason(store_as_of(), base.orders > 0, 'no_period_sales') as reason,
    instant_text(store_as_of()) as "asOf",
    requested_window() as "window",
    coalesce(frequency_rows.rows, []) as rows,
    days(gaps.average_days) as "averageDaysBetween"
from base
cross join frequency_rows
cross join gaps
