-- How often the period's buyers of the product bought it, and the days between.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,

    purchases as (
        select
            customer_no,
            sold_on - lagInFrame(sold_on, 1, sold_on) over (
                partition by customer_no order by sold_at, order_no rows between unbounded preceding and unbounded following
            ) as days_since_previous
        from product_sales
        where store_no = store and product_no = product and sold_on between {date_from:Date} and {date_to:Date} and customer_no <> 0
    ),

    buyers as (
        select customer_no, count() as purchase_count, sum(days_since_previous) as days_between
        from purchases
        group by customer_no
    ),

    frequencies as (
        select purchase_count, count() as buyer_count, sum(days_between) as days_in_all
        from buyers
        group by purchase_count
    )

select
    'purchaseFrequency' as "block",
    block_reason(store_as_of, {now:DateTime('UTC')}, buyer_count > 0, 'no_period_sales') as "reason",
    block_state("reason") as "state",
    instant_text(store_as_of) as "asOf",
    'requested' as "periodApplied.basis",
    {date_from:Date} as "window.from",
    {date_to:Date} as "window.to",
    money(per(sum(days_in_all) over (), sum(buyer_count * (purchase_count - 1)) over ())) as "averageDaysBetween",
    purchase_count as "purchases",
    buyer_count as "customers",
    ratio(per(buyer_count, sum(buyer_count) over ())) as "share"
from frequencies
order by purchase_count
