-- The coupons of the period's orders with the product.

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

coupons as (

    select coupon, count(*) as orders, sum(net_value) as net_value, sum(count(*)) over () as all_orders
    from product_sales
    where product_no = (select product_no from product) and sold_on between $date_from::date and $date_to::date
    group by coupon

)

select
    'coupons' as block,
    block_state(block_reason(product.last_landed_at, $now::timestamp, exists (select from coupons), 'no_period_sales')) as state,
    block_reason(product.last_landed_at, $now::timestamp, exists (select from coupons), 'no_period_sales') as reason,
    instant_text(product.last_landed_at) as "asOf",
    'requested' as "periodApplied.basis",
    $date_from::date as "window.from",
    $date_to::date as "window.to",
    coupons.coupon as "couponCode",
    coupons.orders,
    ratio(coupons.orders / coupons.all_orders) as share,
    amount(coupons.net_value) as "netSales"
from product
left join coupons on coupons.coupon is not null
order by coupons.orders desc, coupons.coupon
