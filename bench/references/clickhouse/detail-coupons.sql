-- The coupons of the period's orders with the product.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,

    coupons as (
        select coupon, count() as coupon_orders, sum(net_value) as net_total, sum(count()) over () as all_orders
        from product_sales
        where store_no = store and product_no = product and sold_on between {date_from:Date} and {date_to:Date}
        group by coupon
    )

select
    'coupons' as "block",
    block_reason(store_as_of, {now:DateTime('UTC')}, all_orders > 0, 'no_period_sales') as "reason",
    block_state("reason") as "state",
    instant_text(store_as_of) as "asOf",
    'requested' as "periodApplied.basis",
    {date_from:Date} as "window.from",
    {date_to:Date} as "window.to",
    coupon as "couponCode",
    coupon_orders as "orders",
    ratio(per(coupon_orders, all_orders)) as "share",
    money(net_total) as "netSales"
from coupons
where coupon <> ''
order by coupon_orders desc, coupon
