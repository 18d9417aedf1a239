-- How often the period's buyers of the product bought it, and the days between.

with

product as (

    select
        products.*,
        stores.last_landed_at,
        least($today::date, stores.last_landed_at::date) as as_of_on
    from products
    join stores using (store_no)
    where stores.integration_id = $integration_id::uuid and products.product_id = $product_id

),

purchases as materialized (

    select
        customer_no,
        sold_on - lag(sold_on) over (partition by customer_no order by sold_at, order_no) as days_since_previous
    from product_sales
    where product_no = (select product_no from product) and sold_on between $date_from::date and $date_to::date

),

frequencies as (

    select purchases, count(*) as customers, sum(count(*)) over () as all_customers
    from (
        select customer_no, count(*) as purchases
        from purchases
        where customer_no is not null
        group by customer_no
    ) as buyers
    group by purchases

),

base as (

    select
        count(*) as orders,
        avg(days_since_previous) filter (where customer_no is not null) as average_days
    from purchases

)

select
    'purchaseFrequency' as block,
    block_state(block_reason(product.last_landed_at, $now::timestamp, base.orders > 0, 'no_period_sales')) as state,
    block_reason(product.last_landed_at, $now::timestamp, base.orders > 0, 'no_period_sales') as reason,
    instant_text(product.last_landed_at) as "asOf",
    'requested' as "periodApplied.basis",
    $date_from::date as "window.from",
    $date_to::date as "window.to",
    amount(base.average_days) as "averageDaysBetween",
    frequencies.purchases,
    frequencies.customers,
    ratio(frequencies.customers / frequencies.all_customers) as share
from product
cross join base
left join frequencies on true
order by frequencies.purchases
