-- Units of counted orders of which nothing says the cost, no table, no store and no rule [D18], [D71], [D72]: those that were sold, and
-- those of them that were put back.
-- Grain: one row per line of an order with such units, and one per entry of a refund that put such units back, on `returned_on` (null
-- for units sold). `value` is the units' sale value.
-- Key: integration_id, order_id, line_no, return_no
-- Kept for: analyses
-- Partition: days of ordered_on
-- Order: ordered_on
-- Per: order

with

uncosted_orders as (

    select integration_id, order_id, ordered_on, channel, payment_methods
    from profit_facts
    where is_sale and uncosted_units <> 0

),

rules as (from stated_rules),

unknown_lines as (

    select lines.*
    from uncosted_orders as orders
    join order_lines as lines on lines.integration_id = orders.integration_id and lines.order_id = orders.order_id
    left join goods_rates('uncosted_orders', 'rules') as rates
        on rates.integration_id = orders.integration_id and rates.order_id = orders.order_id
    where lines.sold_units > 0 and lines.unit_cost is null and not has_cost_by_rules(rates, lines."value")

)

select
    integration_id,
    order_id,
    line_no,
    null::bigint as return_no,
    product_id,
    ordered_on,
    null::date as returned_on,
    sold_units as units,
    part_of("value", sold_units, quantity) as "value"
from unknown_lines

union all

select
    lines.integration_id,
    lines.order_id,
    lines.line_no,
    returned.return_no,
    lines.product_id,
    lines.ordered_on,
    returned.returned_on,
    returned.units,
    returned."value"
from unknown_lines as lines
join returned_units as returned
    on returned.integration_id = lines.integration_id
    and returned.order_id = lines.order_id
    and returned.line_no = lines.line_no
where returned.is_restocked and returned.units > 0
