-- What was sold of each product in each sale, returns taken off: a return belongs to the order it returns [D33].
-- Grain: one row per sale and product. Values count the units that have a sale value, costs those that have a cost.

select
    sales.integration_id,
    order_lines.product_id,
    sales.order_id,
    any_value(sales.sold_at) as sold_at,
    any_value(sales.sold_on) as sold_on,
    any_value(sales.customer_no) as customer_no,
    any_value(sales.first_sold_at) as first_sold_at,
    any_value(sales.first_sold_on) as first_sold_on,
    any_value(sales.is_recurring) as is_recurring,
    any_value(sales.channel) as channel,
    any_value(sales.coupon) as coupon,
    arg_max(order_lines.name, order_lines.line_no) as name,
    sum(order_lines.sold_units)::bigint as units,
    sum(order_lines.returned_units)::bigint as returned_units,
    sum(order_lines.sold_units) filter (where order_lines."value" is not null)::bigint as units_with_value,
    sum(order_lines.sold_units) filter (where order_lines.unit_cost is not null)::bigint as units_with_cost,
    sum((order_lines."value" * order_lines.sold_units / order_lines.quantity)::decimal(18, 6))::decimal(18, 6) as gross_value,
    sum((order_lines."value" * order_lines.kept_units / order_lines.quantity)::decimal(18, 6))::decimal(18, 6) as net_value,
    sum(order_lines.unit_cost * order_lines.kept_units)::decimal(18, 6) as kept_cost
from sales
join order_lines on order_lines.integration_id = sales.integration_id and order_lines.order_id = sales.order_id
where order_lines.product_id is not null and order_lines.sold_units > 0
group by sales.integration_id, order_lines.product_id, sales.order_id
order by sales.integration_id, sold_on, sales.order_id, order_lines.product_id
