-- The products most often in the same order as this one, in the last twelve months.

with
    (select store_no from stores where integration_id = {integration_id:String}) as store,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,
    (select count() from sales where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date}) as all_orders,
    (
        select count()
        from product_sales
        where store_no = store and product_no = product and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date}
    ) as orders_with_product,

    together as (
        select
            product_no,
            count() as all_its_orders,
            countIf(
                order_no in (
                    select order_no
                    from product_sales
                    where store_no = store and product_no = product and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date}
                )
            ) as orders_together
        from product_sales
        where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and product_no <> product
        group by product_no
        having orders_together > 0
    )

select
    'boughtTogether' as block,
    product_id as "productId",
    name as "productName",
    orders_together as orders,
    ratio(per(orders_together, orders_with_product)) as share,
    ratio(per(orders_together * all_orders, orders_with_product * all_its_orders)) as lift
from together
join (select * from products where store_no = store and is_known) as products using (product_no)
order by orders desc, lift desc, product_id
limit 10
