-- The fees of each order that has any [D71]: a statement names it by its id, or, of storeb, by the number that people see.
-- Grain: one row per order with a fee.
-- Key: integration_id, order_id
-- Kept for: increments
-- Partition: days of ordered_on
-- Order: ordered_on
-- Per: order version

with

fees as (

    select store_id as integration_id, bare_id(order_id) as named, ltrim(order_id, '#') as order_name, fee
    from payment_fees
    where store_id is not null

),

order_names as (

    select integration_id, order_id, ordered_on, ltrim(order_name, '#') as order_name
    from store_orders
    where order_name is not null and integration_id in (select integration_id from fees)

),

found as (

    select store_orders.integration_id, store_orders.order_id, store_orders.ordered_on, fees.fee
    from store_orders
    join fees on fees.integration_id = store_orders.integration_id and fees.named = store_orders.order_id

    union all

    select order_names.integration_id, order_names.order_id, order_names.ordered_on, fees.fee
    from order_names
    join fees
        on fees.integration_id = order_names.integration_id
        and fees.order_name = order_names.order_name
        and fees.named <> order_names.order_id

)

select integration_id, order_id, ordered_on, sum(fee)::decimal(38, 6) as fee
from found
group by integration_id, order_id, ordered_on
