-- What came back of counted orders, unit by unit and gift card by gift card, on the day of its refund. Of more units than
-- were sold the earliest that came back count: those of a line add up to its `returned_units` in order_lines [D33].
-- Grain: one row per line of an order and entry of a refund that gave something of it back. `is_restocked`: back in stock.
-- `gift_card_value` is what gift cards that came back were sold for, also those of an entry that removed them. `ordered_on` is the
-- order's day, `refund_no` the refund in `refunds`.
-- `value` is the units' sale value; `unit_cost`, `is_recorded` are those of the line.
-- Follows [D18], [D72], [D73].
-- Key: integration_id, order_id, line_no, return_no
-- Kept for: analyses
-- Partition: days of ordered_on
-- Order: returned_on
-- Per: order version

with

entries as (

    select
        order_lines.integration_id,
        order_lines.order_id,
        order_lines.line_no,
        line_returns.return_no,
        line_returns.refund_no,
        order_lines.ordered_on,
        coalesce(local_day(line_returns.came_back_at, integrations.timezone), order_lines.ordered_on) as returned_on,
        line_returns.is_restocked,
        order_lines.quantity,
        order_lines.sold_units,
        order_lines.ordered_gift_card_value,
        order_lines."value",
        order_lines.unit_cost,
        order_lines.is_recorded,
        line_returns.units as all_units,
        case when line_returns.is_removal then 0 else line_returns.units end as units,
        sum(line_returns.units) over up_to_here as all_units_to_date,
        sum(case when line_returns.is_removal then 0 else line_returns.units end) over up_to_here as units_to_date
    from line_returns
    join order_lines
        on order_lines.integration_id = line_returns.integration_id
        and order_lines.order_id = line_returns.order_id
        and order_lines.line_no = line_returns.line_no
    join integrations on integrations.integration_id = line_returns.integration_id
    where order_lines.is_counted
    window up_to_here as (
        partition by line_returns.integration_id, line_returns.order_id, line_returns.line_no
        order by line_returns.came_back_at nulls first, line_returns.return_no rows unbounded preceding
    )

),

-- Each takes what the entries before it have left.
limited as (

    select
        * exclude (units),
        least(sold_units, units_to_date) - least(sold_units, units_to_date - units) as units,
        least(quantity, all_units_to_date) as cards_to_date,
        least(quantity, all_units_to_date - all_units) as cards_before
    from entries

),

valued as (

    select
        *,
        part_of(ordered_gift_card_value, cards_to_date, quantity) - part_of(ordered_gift_card_value, cards_before, quantity)
            as gift_card_value
    from limited

)

select
    integration_id,
    order_id,
    line_no,
    return_no,
    refund_no,
    ordered_on,
    returned_on,
    units::bigint as units,
    is_restocked,
    gift_card_value::decimal(38, 18) as gift_card_value,
    part_of("value", units, quantity) as "value",
    unit_cost,
    is_recorded
from valued
where units <> 0 or gift_card_value <> 0
