-- The products most often in the same order as this one, in the last twelve months.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,
    (select count() from sales where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date}) as all_orders,

    orders_with_product as (
        select order_no
        from product_sales
        where store_no = store and product_no = product and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date}
    ),

    (select count() from orders_with_product) as order_count,

    together as (
        select
            product_no,
            count() as all_its_orders,
            countIf(order_no in (select order_no from orders_with_product)) as orders_together
        from product_sales
        where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and product_no <> product
        group by product_no
        having orders_together > 0
    )

select
    'boughtTogether' as "block",
    block_reason(store_as_of, {now:DateTime('UTC')}, order_count > 0, 'no_period_sales') as "reason",
    block_state("reason") as "state",
    instant_text(store_as_of) as "asOf",
    'source_window' as "periodApplied.basis",
    toDate(addMonths({today:Date}, -12) + 1) as "window.from",
    {today:Date} as "window.to",
    product_id as "productId",
    name as "productName",
    orders_together as "orders",
    ratio(per(orders_together, order_count)) as "share",
    ratio(per(orders_together * all_orders, order_count * all_its_orders)) as "lift"
from together
join (select * from products where store_no = store and is_known) as products using (product_no)
order by orders_together desc, "lift" desc, product_id
limit 10
