-- The coupons of the period's orders with the product.

with

{{product}},

coupons as (

    select coupon, count(*) as coupon_orders, sum(net_value) as net_value, sum(count(*)) over () as all_orders
    from product_sales
    where {{of_product}} and {{in_period: sold_on}}
    group by coupon

)

select
    {{block: coupons | all_orders > 0 | no_period_sales}},
    {{period_window}},
    coupon as "couponCode",
    coupon_orders as orders,
    ratio(per(coupon_orders, all_orders)) as share,
    amount(net_value) as "netSales"
from coupons
where coupon <> ''
order by coupon_orders desc, coupon
