-- The sales of each store: counted orders that were invoiced [D33], each with its position in the customer's history
-- with that store [D34].
-- Grain: one row per sale. `net_revenue` is the sale value of the units kept, including lines without a product.
-- `purchased_at` is the instant of the first sale of the purchase that the sale is a part of [D6]. `product_ids` are
-- the products of its lines, in order; null without any.
-- Key: integration_id, order_id
-- Kept for: analyses
-- Partition: days of sold_on
-- Order: sold_on, sold_at
-- Per: order

with

invoiced as (

    select
        orders.integration_id,
        orders.order_id,
        orders.order_group,
        orders.sold_at,
        orders.sold_on,
        orders.customer_no,
        orders.channel,
        orders.coupon,
        order_totals.product_ids,
        coalesce(order_totals.kept_value, 0)::decimal(38, 18) as net_revenue
    from orders
    left join order_totals
        on order_totals.integration_id = orders.integration_id and order_totals.order_id = orders.order_id
    where orders.sold_at is not null

),

first_times as (

    select integration_id, customer_no, min(sold_at) as first_sold_at
    from invoiced
    where customer_no is not null
    group by all

),

firsts as (

    select
        first_times.integration_id,
        first_times.customer_no,
        first_times.first_sold_at,
        arg_min(invoiced.sold_on, invoiced.order_id) as first_sold_on,
        arg_min(invoiced.channel, invoiced.order_id) as first_channel
    from invoiced
    join first_times
        on first_times.integration_id = invoiced.integration_id
        and first_times.customer_no = invoiced.customer_no
        and first_times.first_sold_at = invoiced.sold_at
    group by all

),

-- Baskets that the platform split into sales at different instants.
split_baskets as (

    select integration_id, customer_no, order_group, min(sold_at) as purchased_at
    from invoiced
    where customer_no is not null and order_group is not null
    group by integration_id, customer_no, order_group
    having min(sold_at) < max(sold_at)

)

select
    invoiced.* exclude (order_group),
    coalesce(split_baskets.purchased_at, invoiced.sold_at) as purchased_at,
    firsts.first_sold_at,
    firsts.first_sold_on,
    firsts.first_channel,
    -- Part of a later purchase than the first [D6].
    coalesce(coalesce(split_baskets.purchased_at, invoiced.sold_at) > firsts.first_sold_at, false) as is_recurring
from invoiced
left join firsts on firsts.integration_id = invoiced.integration_id and firsts.customer_no = invoiced.customer_no
left join split_baskets
    on split_baskets.integration_id = invoiced.integration_id
    and split_baskets.customer_no = invoiced.customer_no
    and split_baskets.order_group = invoiced.order_group
