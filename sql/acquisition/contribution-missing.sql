-- What is not known of the costs of the orders of a period, in the order of the statement's lines.
-- Grain: one row per item of which something is not known.
-- Parameters: start_date, end_date (inclusive; null for the whole history), integration_id, channel (filters; both may be missing).
-- Follows [D70], [D72], [D74], [D76], [D86].

select item, orders, money(revenue) as revenue, units, products
from missing_of_orders()
order by line_no
