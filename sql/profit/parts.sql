-- What the lines of the statement of profit are made of.
-- Grain: one row per line and part, in the order of the lines and of their parts.
-- Parameters: those of profit/statement.
-- Follows [D8], [D70], [D71], [D72], [D74].

select line, part.name as name, part.source as source, part.amount as amount
from (
    select line, line_no, unnest(parts) as part, generate_subscripts(parts, 1) as part_no
    from shown_lines()
)
order by line_no, part_no
