-- How often the period's buyers of the product bought it.

with
    (select store_no from stores where integration_id = {integration_id:String}) as store,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,

    buyers as (
        select customer_no, count() as purchases
        from product_sales
        where store_no = store and product_no = product and sold_on between {date_from:Date} and {date_to:Date} and customer_no <> 0
        group by customer_no
    ),

    frequencies as (
        select purchases, count() as customers
        from buyers
        group by purchases
    )

select
    'purchaseFrequency' as block,
    purchases,
    customers,
    ratio(per(customers, sum(customers) over ())) as share
from frequencies
order by purchases
