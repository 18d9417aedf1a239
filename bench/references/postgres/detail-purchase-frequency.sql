-- How often the period's buyers of the product bought it.

with

product as (

    select
        products.*,
        stores.has_returns,
        least($today::date, stores.last_landed_at::date) as as_of_on
    from products
    join stores using (store_no)
    where stores.integration_id = $integration_id::uuid and products.product_id = $product_id

),

buyers as (

    select customer_no, count(*) as purchases
    from product_sales
    where product_no = (select product_no from product) and sold_on between $date_from::date and $date_to::date and customer_no is not null
    group by 1

)

select
    'purchaseFrequency' as block,
    purchases,
    count(*) as customers,
    ratio(count(*) / sum(count(*)) over ()) as share
from buyers
group by purchases
order by purchases
