-- How often the period's buyers of this product bought it in the period.
-- Grain: one row; `rows` has one for customers with one order of it, one for two, …
-- Parameters: integration_id, product_id, date_from, date_to, now.
-- Follows [D40]. `averageDaysBetween` is over all pairs of successive orders of a customer, by their days. Anonymous
-- orders are a base for the block, but belong to no customer.

with

buyers as (

    -- The days between a customer's successive orders add up to those between the first and the last.
    select
        customer_no,
        count(*) as purchases,
        arg_max(sold_on, {sold_at: sold_at, order_id: order_id})
            - arg_min(sold_on, {sold_at: sold_at, order_id: order_id}) as days
    from period_sales_of_product()
    group by customer_no

),

frequencies as (

    select
        purchases,
        count(customer_no) as customers,
        sum(purchases - 1) filter (customer_no is not null) as gaps,
        sum(days) filter (customer_no is not null) as days
    from buyers
    group by purchases

),

totals as (

    select
        count(*) > 0 as has_orders,
        sum(customers) as customers,
        safe_divide(sum(days), sum(gaps)) as average_days,
        list({purchases: purchases, customers: customers} order by purchases) filter (customers > 0) as frequencies
    from frequencies

)

select
    block_reason(store.is_stale, totals.has_orders, 'no_period_sales') as reason,
    instant_text(store.as_of) as "asOf",
    requested_window(store) as "window",
    coalesce(
        list_transform(totals.frequencies, lambda bought: {
            purchases: bought.purchases,
            customers: bought.customers,
            share: ratio(safe_divide(bought.customers, totals.customers))
        }),
        []
    ) as rows,
    days(totals.average_days) as "averageDaysBetween"
from totals
cross join requested_store() as store
