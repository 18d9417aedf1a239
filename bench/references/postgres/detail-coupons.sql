-- The coupons of the period's orders with the product.

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

coupons as (

    select coupon, count(*) as orders, sum(net_value) as net_value, sum(count(*)) over () as all_orders
    from product_sales
    where product_no = (select product_no from product) and sold_on between $date_from::date and $date_to::date
    group by coupon

)

select
    'coupons' as block,
    coupon as "couponCode",
    orders,
    ratio(orders / all_orders) as share,
    amount(net_value) as "netSales"
from coupons
where coupon is not null
order by orders desc, coupon
