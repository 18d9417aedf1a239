-- The customers who entered a store through a product: their first purchase there included it. With their revenue
-- since [D34].
-- Grain: one row per integration, product and customer. A first purchase with several products enters each of them:
-- rows must not be summed over products. Net revenue covers all purchases of the customer in the store: in the 180
-- days from the first sale on, and to date. `repurchase_months` are the calendar months, counted from that of the first
-- sale, in which the customer bought again; null without any. `first_net_value` is that of the product in the first
-- purchase [D33].
-- Key: integration_id, product_id, customer_no
-- Kept for: analyses
-- Order: integration_id, product_id, entered_on, customer_no
-- Row group: 16384
-- Per: customer

with

customers as (

    select
        integration_id,
        customer_no,
        any_value(first_sold_on) as entered_on,
        any_value(first_channel) as channel,
        sum(net_revenue) filter (where sold_on < first_sold_on + 180) as net_revenue_180,
        sum(net_revenue) as net_revenue,
        bool_or(is_recurring and sold_on < first_sold_on + 180) as has_repurchased_180,
        bool_or(is_recurring) as has_repurchased,
        list_sort(list_distinct(
            list(date_diff('month', first_sold_on, sold_on)) filter (is_recurring)
        )) as repurchase_months
    from sales
    where customer_no is not null
    group by integration_id, customer_no

),

first_products as (

    select integration_id, product_id, customer_no, sum(net_value)::decimal(38, 18) as net_value
    from product_sales
    where customer_no is not null and not is_recurring
    group by integration_id, product_id, customer_no

)

select
    first_products.integration_id,
    first_products.product_id,
    first_products.customer_no,
    customers.entered_on,
    customers.channel,
    first_products.net_value as first_net_value,
    customers.net_revenue_180::decimal(38, 18) as net_revenue_180,
    customers.net_revenue::decimal(38, 18) as net_revenue,
    customers.has_repurchased_180,
    customers.has_repurchased,
    customers.repurchase_months
from first_products
join customers
    on customers.integration_id = first_products.integration_id and customers.customer_no = first_products.customer_no
