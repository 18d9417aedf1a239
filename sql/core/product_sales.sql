-- The sales of each product, per sale, with returns deducted: a return belongs to the order it returns [D33].
-- Grain: one row per sale and product. Values cover the units that have a sale value, costs those that have a cost;
-- `margin_units`, `margin_value` and `margin_cost` the units kept that have both.
-- Key: integration_id, order_id, product_id
-- Kept for: analyses
-- Partition: days of sold_on
-- Order: integration_id, product_id, sold_on, sold_at, order_id
-- Row group: 16384
-- Per: order

with

numbered_sales as (

    select *, row_number() over () as sale_no
    from sales

),

-- The lines of a product in a sale, combined. Most sales have one line per product.
product_units as (

    select
        numbered_sales.sale_no,
        order_lines.product_id,
        arg_max(order_lines.name, order_lines.line_no) as name,
        sum(order_lines.sold_units)::bigint as units,
        sum(order_lines.returned_units)::bigint as returned_units,
        sum(order_lines.sold_units) filter (where order_lines."value" is not null)::bigint as units_with_value,
        sum(order_lines.sold_units) filter (where order_lines.unit_cost is not null)::bigint as units_with_cost,
        sum(part_of(order_lines."value", order_lines.sold_units, order_lines.quantity))::decimal(38, 18) as gross_value,
        sum(part_of(order_lines."value", order_lines.kept_units, order_lines.quantity))::decimal(38, 18) as net_value,
        sum(order_lines.unit_cost * order_lines.kept_units)::decimal(38, 6) as kept_cost,
        coalesce(sum(order_lines.kept_units) filter (where has_margin), 0)::bigint as margin_units,
        coalesce(
            sum(part_of(order_lines."value", order_lines.kept_units, order_lines.quantity)) filter (where has_margin), 0
        )::decimal(38, 18) as margin_value,
        coalesce(
            sum(order_lines.unit_cost * order_lines.kept_units) filter (where has_margin), 0
        )::decimal(38, 6) as margin_cost
    from (
        select *, "value" is not null and unit_cost is not null as has_margin
        from order_lines
    ) as order_lines
    join numbered_sales
        on numbered_sales.integration_id = order_lines.integration_id
        and numbered_sales.order_id = order_lines.order_id
    where order_lines.product_id is not null and order_lines.sold_units > 0
    group by numbered_sales.sale_no, order_lines.product_id

)

select
    numbered_sales.integration_id,
    product_units.product_id,
    numbered_sales.order_id,
    numbered_sales.sold_at,
    numbered_sales.sold_on,
    numbered_sales.customer_no,
    numbered_sales.purchased_at,
    numbered_sales.first_sold_at,
    numbered_sales.first_sold_on,
    numbered_sales.is_recurring,
    numbered_sales.channel,
    numbered_sales.coupon,
    product_units.* exclude (sale_no, product_id)
from product_units
join numbered_sales on numbered_sales.sale_no = product_units.sale_no
