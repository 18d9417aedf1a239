-- The coupons of the period's orders with the product.

with
    (select store_no from stores where integration_id = {integration_id:String}) as store,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,

    coupons as (
        select coupon, count() as coupon_orders, sum(net_value) as net_total, sum(count()) over () as all_orders
        from product_sales
        where store_no = store and product_no = product and sold_on between {date_from:Date} and {date_to:Date}
        group by coupon
    )

select
    'coupons' as block,
    coupon as "couponCode",
    coupon_orders as orders,
    ratio(per(coupon_orders, all_orders)) as share,
    money(net_total) as "netSales"
from coupons
where coupon <> ''
order by orders desc, coupon
