-- The sales of each store: counted orders that were invoiced [D33], each with its place in the customer's history with
-- that store [D34].
-- Grain: one row per sale. `net_revenue` is the sale value of the units kept, lines without a product included.

with

invoiced as (

    select
        orders.integration_id,
        orders.order_id,
        orders.sold_at,
        orders.sold_on,
        orders.customer_no,
        orders.channel,
        orders.coupon,
        coalesce(order_costs.kept_value, 0)::decimal(18, 6) as net_revenue
    from orders
    left join order_costs
        on order_costs.integration_id = orders.integration_id and order_costs.order_id = orders.order_id
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

)

select
    invoiced.*,
    firsts.first_sold_at,
    firsts.first_sold_on,
    firsts.first_channel,
    -- Sales at the first one's very instant belong to the first purchase [D6].
    coalesce(invoiced.sold_at > firsts.first_sold_at, false) as is_recurring
from invoiced
left join firsts on firsts.integration_id = invoiced.integration_id and firsts.customer_no = invoiced.customer_no
