-- The products most often in the next purchase of the product's buyers, in the last twelve months.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,

    bought as (
        select distinct customer_no, purchased_at
        from product_sales
        where store_no = store and product_no = product and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no <> 0
    ),

    -- A buyer's purchases in turn, each with the next one.
    purchases as (
        select
            customer_no,
            purchased_at,
            leadInFrame(toNullable(purchased_at)) over (
                partition by customer_no order by purchased_at rows between unbounded preceding and unbounded following
            ) as next_purchased_at
        from (
            select distinct customer_no, purchased_at
            from sales
            where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no in (select customer_no from bought)
        )
    ),

    next_purchases as (
        select customer_no, assumeNotNull(next_purchased_at) as next_at
        from purchases
        where next_purchased_at is not null and (customer_no, purchased_at) in (select customer_no, purchased_at from bought)
    ),

    (select groupBitmap(customer_no) from bought) as customers_with_product,
    (select groupBitmap(customer_no) from sales where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no <> 0) as all_customers,

    products_after as (
        select
            product_no,
            groupBitmap(customer_no) as all_its_customers,
            groupBitmapIf(
                customer_no, (customer_no, purchased_at) in (select customer_no, next_at from next_purchases)
            ) as customers_after
        from product_sales
        where store_no = store and sold_on between toDate(addMonths({today:Date}, -12)) + 1 and {today:Date} and customer_no <> 0 and product_no <> product
        group by product_no
        having customers_after > 0
    )

select
    'boughtAfter' as "block",
    block_reason(store_as_of, {now:DateTime('UTC')}, customers_with_product > 0, 'no_period_sales') as "reason",
    block_state("reason") as "state",
    instant_text(store_as_of) as "asOf",
    'source_window' as "periodApplied.basis",
    toDate(addMonths({today:Date}, -12) + 1) as "window.from",
    {today:Date} as "window.to",
    product_id as "productId",
    name as "productName",
    customers_after as "customers",
    ratio(per(customers_after, customers_with_product)) as "share",
    ratio(per(customers_after * all_customers, customers_with_product * all_its_customers)) as "lift"
from products_after
join (select * from products where store_no = store and is_known) as products using (product_no)
order by customers_after desc, "lift" desc, product_id
limit 10
