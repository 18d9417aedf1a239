-- How often the period's buyers of the product bought it, and the days between.

with

{{product}},

purchases as (

    select
        customer_no,
        sold_on - lag(sold_on, 1, sold_on) over (partition by customer_no order by sold_at, order_no) as days_since_previous
    from product_sales
    where {{of_product}} and {{in_period: sold_on}} and customer_no <> 0

),

buyers as (

    select customer_no, count(*) as times, sum(days_since_previous) as days_between
    from purchases
    group by customer_no

),

frequencies as (

    select times, count(*) as customers, sum(days_between) as days_between
    from buyers
    group by times

)

select
    {{block: purchaseFrequency | customers > 0 | no_period_sales}},
    {{period_window}},
    amount(per(sum(days_between) over (), sum(customers * (times - 1)) over ())) as "averageDaysBetween",
    times as purchases,
    customers,
    ratio(per(customers, sum(customers) over ())) as share
from frequencies
order by times
