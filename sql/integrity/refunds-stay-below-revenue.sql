-- No more is given back of an order than it brought, and what came back of its lines is what they say [D33], [D73].

with

-- Grain: one row per line of which something came back.
came_back as (

    select
        integration_id,
        order_id,
        line_no,
        sum(units) as units,
        coalesce(sum(gift_card_value), 0) as gift_card_value
    from returned_units
    group by integration_id, order_id, line_no

),

-- Grain: one row per line of which something may have come back.
lines as (

    select integration_id, order_id, line_no, returned_units, coalesce(ordered_gift_card_value, 0) as gift_card_value
    from order_lines
    where is_counted and (returned_units <> 0 or ordered_gift_card_value is not null)

)

select 'more refunds than revenue' as problem, refunds.integration_id, refunds.order_id, null as line_no
from refunds
left join orders on orders.integration_id = refunds.integration_id and orders.order_id = refunds.order_id
group by refunds.integration_id, refunds.order_id
having sum(refunds.amount) > greatest(any_value(orders.revenue), 0)

union all

select 'a refund of less than nothing', integration_id, order_id, null
from refunds
where amount < 0 or excess < 0

union all

select
    'other units came back than the line has',
    coalesce(lines.integration_id, came_back.integration_id),
    coalesce(lines.order_id, came_back.order_id),
    coalesce(lines.line_no, came_back.line_no)
from lines
full join came_back
    on came_back.integration_id = lines.integration_id
    and came_back.order_id = lines.order_id
    and came_back.line_no = lines.line_no
where coalesce(came_back.units, 0) <> coalesce(lines.returned_units, 0)
    or abs(coalesce(came_back.gift_card_value, 0)) > abs(coalesce(lines.gift_card_value, 0))
