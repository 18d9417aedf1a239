-- The products that customers who bought this product had most often in their next purchase, in the last 12 months.
-- Grain: one row; `rows` has up to ten products, which overlap: a customer counts once for each of them.
-- Parameters: integration_id, product_id, today, now.
-- Follows [D40]: a purchase with the product is followed by the customer's next one [D6], of which all orders count.
-- `share` is that of the customers with this product; `lift` is the share over the product's share of all buyers.
-- Sorted by the values that the client sees [D8].

with

year_lines as (

    select customer_no, purchased_at, product_id
    from product_sales
    where integration_id = requested_store_id()
        and sold_on between year_start() and year_end()
        and customer_no is not null

),

buyers as (

    select distinct customer_no
    from year_lines
    where product_id = requested_product_id()

),

base as (

    select count(*) as customers from buyers

),

all_buyers as (

    select count(distinct customer_no) as customers
    from sales
    where integration_id = requested_store_id() and sold_on between year_start() and year_end()

),

-- A buyer's purchases in order [D6].
purchases as (

    select
        customer_no,
        purchased_at,
        lead(purchased_at) over (partition by customer_no order by purchased_at) as next_purchased_at
    from (
        select distinct sales.customer_no, sales.purchased_at
        from sales
        semi join buyers on buyers.customer_no = sales.customer_no
        where sales.integration_id = requested_store_id()
            and sales.sold_on between year_start() and year_end()
    )

),

next_purchases as (

    select distinct purchases.customer_no, purchases.next_purchased_at as purchased_at
    from year_lines
    join purchases
        on purchases.customer_no = year_lines.customer_no and purchases.purchased_at = year_lines.purchased_at
    where year_lines.product_id = requested_product_id() and purchases.next_purchased_at is not null

),

-- The ten products most often bought after it, with ties of the tenth: the lift decides among those below.
leading_products as (

    select year_lines.product_id, count(distinct year_lines.customer_no) as customers_after
    from year_lines
    semi join next_purchases
        on next_purchases.customer_no = year_lines.customer_no
        and next_purchases.purchased_at = year_lines.purchased_at
    where year_lines.product_id <> requested_product_id()
    group by year_lines.product_id
    qualify rank() over (order by customers_after desc) <= 10

),

products_after as (

    select
        leading_products.product_id,
        leading_products.customers_after,
        count(distinct year_lines.customer_no) as customers
    from leading_products
    join year_lines on year_lines.product_id = leading_products.product_id
    group by leading_products.product_id, leading_products.customers_after

),

ranked as (

    select
        products_after.product_id,
        product_identities.name as product_name,
        products_after.customers_after as customers,
        ratio(safe_divide(products_after.customers_after, base.customers)) as share,
        ratio(safe_divide(
            products_after.customers_after * all_buyers.customers, base.customers * products_after.customers
        )) as lift
    from products_after
    cross join base
    cross join all_buyers
    join product_identities
        on product_identities.integration_id = requested_store_id()
        and product_identities.product_id = products_after.product_id
    order by customers desc, lift desc, product_id
    limit 10

),

product_rows as (

    select
        list(
            {productId: product_id, productName: product_name, customers: customers, share: share, lift: lift}
            order by customers desc, lift desc, product_id
        ) as rows
    from ranked

)

select
    block_reason(store_as_of(), base.customers > 0, 'no_period_sales') as reason,
    instant_text(store_as_of()) as "asOf",
    year_window() as "window",
    coalesce(product_rows.rows, []) as rows
from base
cross join product_rows
