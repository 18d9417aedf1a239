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

firsts as (

    select integration_id, customer_no, sold_at as first_sold_at, sold_on as first_sold_on, channel as first_channel
    from invoiced
    where customer_no is not null
    qualify row_number() over (partition by integration_id, customer_no order by sold_at, order_id) = 1

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
order by invoiced.integration_id, invoiced.sold_on, invoiced.sold_at, invoiced.order_id
