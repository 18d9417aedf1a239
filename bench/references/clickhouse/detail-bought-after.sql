-- The products most often in the next order of the product's buyers, in the last twelve months.

with
    (select store_no from stores where integration_id = {integration_id:String}) as store,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,

    buyers as (
        select distinct customer_no
        from product_sales
        where store_no = store and product_no = product and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no <> 0
    ),

    -- A buyer's purchases in turn, each with the first order of the next later instant. Among orders of one instant the one with
    -- the smallest id has the smallest number.
    purchases as (
        select
            customer_no,
            sold_at,
            leadInFrame(toNullable(first_order_no)) over (
                partition by customer_no order by sold_at rows between unbounded preceding and unbounded following
            ) as next_order_no
        from (
            select customer_no, sold_at, min(order_no) as first_order_no
            from sales
            where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no in (select customer_no from buyers)
            group by customer_no, sold_at
        )
    ),

    next_orders as (
        select distinct assumeNotNull(next_order_no) as order_no
        from purchases
        where next_order_no is not null
            and (customer_no, sold_at) in (
                select customer_no, sold_at
                from product_sales
                where store_no = store and product_no = product and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no <> 0
            )
    ),

    (select count() from buyers) as customers_with_product,
    (
        select groupBitmap(customer_no)
        from sales
        where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no <> 0
    ) as all_customers,

    products_after as (
        select
            product_no,
            groupBitmap(customer_no) as all_its_customers,
            groupBitmapIf(customer_no, order_no in (select order_no from next_orders)) as customers_after
        from product_sales
        where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no <> 0 and product_no <> product
        group by product_no
        having customers_after > 0
    )

select
    'boughtAfter' as block,
    product_id as "productId",
    name as "productName",
    customers_after as customers,
    ratio(per(customers_after, customers_with_product)) as share,
    ratio(per(customers_after * all_customers, customers_with_product * all_its_customers)) as lift
from products_after
join (select * from products where store_no = store and is_known) as products using (product_no)
order by customers desc, lift desc, product_id
limit 10
