-- The coupons of the period's orders that include this product.
-- Grain: one row; `rows` has one per coupon, the one with most orders first.
-- Parameters: integration_id, product_id, date_from, date_to, now.
-- Follows [D40]: `share` of all the orders with the product, `netSales` of the product in the coupon's orders [D33].

with

base as (

    select count(*) as orders from period_sales_of_product()

),

coupons as (

    select coupon, count(*) as orders, sum(net_value) as net_value
    from period_sales_of_product()
    where coupon is not null
    group by coupon

),

coupon_rows as (

    select
        list(
            {
                couponCode: coupons.coupon,
                orders: coupons.orders,
                share: ratio(safe_divide(coupons.orders, base.orders)),
                netSales: money(coupons.net_value)
            }
            order by coupons.orders desc, coupons.coupon
        ) as rows
    from coupons
    cross join base

)

select
    block_reason(store_as_of(), base.orders > 0, 'no_period_sales') as reason,
    instant_text(store_as_of()) as "asOf",
    requested_window() as "window",
    coalesce(coupon_rows.rows, []) as rows
from base
cross join coupon_rows
