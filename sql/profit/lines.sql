-- The statement of profit as a table.
-- Grain: one row per line, in their order. Without a comparison `previous`, `change` and `pct` are null.
-- Parameters: those of profit/statement.
-- Follows [D8], [D50], [D70], [D71], [D72], [D73], [D74].

select line, amount, share, source, coverage, previous, change, pct
from shown_lines()
order by line_no
