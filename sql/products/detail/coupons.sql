-- The coupons of the period's orders that include this product.
-- Grain: one row; `rows` has one per coupon, the one with most orders first.
-- Parameters: integration_id, product_id, date_from, date_to, now.
-- Follows [D40]: `share` of all the orders with the product, `netSales` of the product in the coupon's orders [D33].

with

coupons as (

    select coupon, count(*) as orders, sum(net_value) as net_value
    from period_sales_of_product()
    group by coupon

),

totals as (

    select
        or_zero(sum(orders)) as orders,
        list({coupon: coupon, orders: orders, net_value: net_value} order by orders desc, coupon)
            filter (coupon is not null) as coupons
    from coupons

)

select
    block_reason(store.is_stale, totals.orders > 0, 'no_period_sales') as reason,
    instant_text(store.as_of) as "asOf",
    requested_window(store) as "window",
    coalesce(
        list_transform(totals.coupons, lambda used: {
            couponCode: used.coupon,
            orders: used.orders,
            share: ratio(safe_divide(used.orders, totals.orders)),
            netSales: money(used.net_value)
        }),
        []
    ) as rows
from totals
cross join requested_store() as store
