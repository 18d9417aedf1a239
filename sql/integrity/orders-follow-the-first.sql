-- Every order of a customer is the first one, part of the first purchase, or later [D6]. Each customer has one first
-- order, whose day and attributes all orders repeat; anonymous orders have none of these.

with

firsts as (

    select *
    from orders
    where customer_no is not null
    qualify row_number() over (partition by customer_no order by ordered_at, order_id, integration_id) = 1

),

purchases as (

    select
        *,
        min(ordered_at) over (
            partition by integration_id, customer_no, coalesce(order_group, order_id), order_group is null
        ) as first_of_basket_at
    from orders
    where customer_no is not null

)

select orders.integration_id, orders.order_id, orders.customer_no, 'is no later than the first' as problem
from purchases as orders
join firsts on firsts.customer_no = orders.customer_no
where orders.first_on <> firsts.ordered_on
    or orders.first_month <> firsts.ordered_month
    or orders.first_channel <> firsts.channel
    or orders.first_campaign_key is distinct from firsts.campaign_key
    or orders.first_campaign_connector is distinct from firsts.campaign_connector
    or orders.first_strategy is distinct from firsts.strategy
    or orders.first_coupon is distinct from firsts.coupon
    or orders.purchased_at <> orders.first_of_basket_at
    or orders.is_recurring <> (orders.first_of_basket_at > firsts.ordered_at)
    -- In a store of another time zone a later order may be dated before the first, by two days at the most.
    or orders.ordered_on < orders.first_on - 2
    -- No customer returns before the first order.
    or orders.previous_on < orders.first_on

union all

select integration_id, order_id, null, 'is nobody''s, and yet has a first order'
from orders
where customer_no is null and (first_on is not null or first_channel is not null or is_recurring)
