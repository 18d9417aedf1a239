-- What is not known of the costs of the orders of a breakdown, in the order of the statement's lines.
-- Grain: one row per item of which something is not known.
-- Parameters: those of profitability/breakdown.
-- Follows [D70], [D72], [D74], [D76], [D86], [D89].

select item, orders, money(revenue) as revenue, units, products
from missing_of_orders()
order by line_no
