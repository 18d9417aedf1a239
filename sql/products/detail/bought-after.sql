-- The products that customers who bought this product had most often in their next purchase, in the last 12 months.
-- Grain: one row; `rows` has up to ten products, which overlap: a customer counts once for each of them.
-- Parameters: integration_id, product_id, today, now.
-- Follows [D40]: a purchase with the product is followed by the customer's next one [D6], of which all orders count.
-- `share` is that of the customers with this product; `lift` is the share over the product's share of all buyers.
-- Sorted by the values that the client sees [D8].

with

buyers_sales as (

    select customer_no, purchased_at, product_ids, list_contains(product_ids, requested_product_id()) as has_product
    from year_sales()
    where customer_no in (
        select customer_no from year_sales() where list_contains(product_ids, requested_product_id())
    )

),

base as (

    select
        (select count(distinct customer_no) from buyers_sales) as customers,
        (select count(distinct customer_no) from year_sales()) as all_customers

),

-- A buyer's purchases [D6], each with the next one.
purchases as (

    select
        customer_no,
        bool_or(has_product) as has_product,
        lead(purchased_at) over (partition by customer_no order by purchased_at) as next_purchased_at
    from buyers_sales
    group by customer_no, purchased_at

),

-- The ten products most often bought after it, with ties of the tenth: the lift decides among those below.
leading_products as (

    select product_id, count(distinct customer_no) as customers_after
    from (
        select buyers_sales.customer_no, unnest(buyers_sales.product_ids) as product_id
        from buyers_sales
        join purchases
            on purchases.customer_no = buyers_sales.customer_no
            and purchases.next_purchased_at = buyers_sales.purchased_at
        where purchases.has_product
    )
    where product_id <> requested_product_id()
    group by product_id
    qualify rank() over (order by customers_after desc) <= 10

),

products_after as (

    select leading_products.product_id, leading_products.customers_after, count(distinct sold.customer_no) as customers
    from (select customer_no, unnest(product_ids) as product_id from year_sales()) as sold
    join leading_products on leading_products.product_id = sold.product_id
    group by leading_products.product_id, leading_products.customers_after

),

ranked as (

    select
        products_after.product_id,
        products_after.customers_after as customers,
        ratio(safe_divide(products_after.customers_after, base.customers)) as share,
        ratio(safe_divide(
            products_after.customers_after * base.all_customers, base.customers * products_after.customers
        )) as lift
    from products_after
    cross join base
    order by customers desc, lift desc, product_id
    limit 10

),

product_rows as (

    select
        list(
            {
                productId: ranked.product_id,
                productName: product_identities.name,
                customers: ranked.customers,
                share: ranked.share,
                lift: ranked.lift
            }
            order by ranked.customers desc, ranked.lift desc, ranked.product_id
        ) as rows
    from ranked
    join product_identities
        on product_identities.integration_id = requested_store_id()
        and product_identities.product_id = ranked.product_id

)

select
    block_reason(store.is_stale, base.customers > 0, 'no_period_sales') as reason,
    instant_text(store.as_of) as "asOf",
    year_window() as "window",
    coalesce(product_rows.rows, []) as rows
from base
cross join product_rows
cross join requested_store() as store
