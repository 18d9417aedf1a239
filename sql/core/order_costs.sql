-- What the units of each order come to: their sale value and cost, sold and kept [D17], [D18].
-- Grain: one row per order that has lines, dated as that is. Units are those sold; `kept` leaves out what was returned.

select
    integration_id,
    order_id,
    ordered_on,
    sum(sold_units)::bigint as units,
    sum(case when unit_cost is not null then sold_units else 0 end)::bigint as units_with_cost,
    sum(case when "value" is not null then sold_units else 0 end)::bigint as units_with_value,
    sum(sold_units * unit_cost)::decimal(18, 6) as cost,
    sum(kept_units * unit_cost)::decimal(18, 6) as kept_cost,
    sum(case when kept_units = quantity then "value" else (kept_units * "value" / quantity)::decimal(18, 6) end
        )::decimal(18, 6) as kept_value
from order_lines
group by all
