-- What orders carry is possible [D88]: a known way of paying, an hour of the day, the weekday of its day, no discount below 0, a
-- city with its key. The names of payments have all counted orders and their revenue.
-- Grain: one row per kind of order, or per store and way of paying, that contradicts it.

with

every_order as (

    select payment_group, installments, hour, weekday, ordered_on, discount, city, city_key, items
    from orders

    union all by name

    select payment_group, installments, hour, weekday, ordered_on, discount, city, city_key, items
    from uncounted_orders

),

impossible as (

    select distinct payment_group, installments, hour, weekday, discount
    from every_order
    where payment_group not in ('pix', 'boleto', 'credit_card', 'debit_card', 'wallet', 'gift_card', 'other')
        or installments < 1
        or hour not between 0 and 23
        or weekday <> isodow(ordered_on)
        or discount < 0
        or city is null and city_key is not null
        or items < 0

),

paid as (

    select integration_id, payment_group, count(*) as orders, sum(revenue) as revenue
    from orders
    group by integration_id, payment_group

),

named as (

    select integration_id, payment_group, sum(counted) as orders, sum(revenue) as revenue
    from order_payments
    group by integration_id, payment_group
    having sum(counted) > 0

)

select 'impossible' as problem, impossible::varchar as what
from impossible

union all

select 'other orders than their payments', coalesce(paid.integration_id, named.integration_id)
from paid
full join named
    on named.integration_id = paid.integration_id and named.payment_group is not distinct from paid.payment_group
where paid.orders is distinct from named.orders or paid.revenue is distinct from named.revenue
