-- What customers who bought this product most often had in their next order, in the last 12 months.
-- Grain: one row; `rows` has up to ten products, which overlap: a customer counts once for each of them.
-- Parameters: integration_id, product_id, today, now.
-- Follows [D40]: an order with the product is followed by the customer's first, by instant and id, at a later instant
-- [D6]; each such order is looked at. `share` of the customers with this product; `lift` is that over the product's
-- share of all buyers. Sorted by what the client sees [D8].

with

-- A customer's purchases in turn, each with the first order of the next later instant.
year_purchases as (

    select
        customer_no,
        sold_at,
        lead(first_order_id) over (partition by customer_no order by sold_at) as next_order_id
    from (
        select customer_no, sold_at, min(order_id) as first_order_id
        from sales
        where integration_id = getvariable('p').integration_id
            and sold_on between year_start() and year_end()
            and customer_no is not null
        group by customer_no, sold_at
    )

),

year_lines as (

    select customer_no, sold_at, order_id, product_id
    from product_sales
    where integration_id = getvariable('p').integration_id
        and sold_on between year_start() and year_end()
        and customer_no is not null

),

all_buyers as (

    select count(distinct customer_no) as customers from year_purchases

),

base as (

    select count(distinct customer_no) as customers from year_lines where product_id = getvariable('p').product_id

),

next_orders as (

    select distinct year_purchases.next_order_id as order_id
    from year_lines
    join year_purchases
        on year_purchases.customer_no = year_lines.customer_no and year_purchases.sold_at = year_lines.sold_at
    where year_lines.product_id = getvariable('p').product_id and year_purchases.next_order_id is not null

),

products_after as (

    select
        year_lines.product_id,
        count(distinct year_lines.customer_no) as customers,
        count(distinct year_lines.customer_no) filter (where next_orders.order_id is not null) as customers_after
    from year_lines
    left join next_orders on next_orders.order_id = year_lines.order_id
    where year_lines.product_id <> getvariable('p').product_id
    group by year_lines.product_id
    having customers_after > 0

),

ranked as (

    select
        products_after.product_id,
        product_identities.name as product_name,
        products_after.customers_after as customers,
        ratio(per(products_after.customers_after, base.customers)) as share,
        ratio(per(
            products_after.customers_after * all_buyers.customers, base.customers * products_after.customers
        )) as lift
    from products_after
    cross join base
    cross join all_buyers
    join product_identities
        on product_identities.integration_id = getvariable('p').integration_id
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
    block_state(store_as_of(), base.customers > 0) as state,
    block_reason(store_as_of(), base.customers > 0, 'no_period_sales') as reason,
    instant_text(store_as_of()) as "asOf",
    {'basis': 'source_window'} as "periodApplied",
    year_window() as "window",
    coalesce(product_rows.rows, []) as rows
from base
cross join product_rows
