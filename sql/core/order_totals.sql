-- The units of each order with their sale value and cost, sold and kept [D17], [D18], and the products that it sold.
-- Grain: one row per order that has lines. It has the date of the order. Units are those sold; `kept` excludes
-- returned units. `cost` is as the store reports it [D17]; `goods` the units by what their cost is known from [D72]: recorded in
-- `product_costs`, reported by the store, or neither (`uncosted`, of which the `unvalued` have no sale value).
-- Key: integration_id, order_id
-- Kept for: increments
-- Partition: days of ordered_on
-- Order: ordered_on
-- Per: order version

select
    integration_id,
    order_id,
    ordered_on,
    sum(sold_units)::bigint as units,
    sum(case when reported_cost is not null then sold_units else 0 end)::bigint as units_with_cost,
    sum(case when "value" is not null then sold_units else 0 end)::bigint as units_with_value,
    sum(sold_units * reported_cost)::decimal(38, 6) as cost,
    sum(kept_units * reported_cost)::decimal(38, 6) as kept_cost,
    {
        recorded_units: coalesce(sum(sold_units) filter (where is_recorded), 0)::bigint,
        recorded_cost: coalesce(sum(sold_units * unit_cost) filter (where is_recorded), 0)::decimal(38, 6),
        reported_units: coalesce(sum(sold_units) filter (where not is_recorded and unit_cost is not null), 0)::bigint,
        reported_cost: coalesce(sum(sold_units * unit_cost) filter (where not is_recorded), 0)::decimal(38, 6),
        uncosted_units: coalesce(sum(sold_units) filter (where unit_cost is null), 0)::bigint,
        unvalued_units: coalesce(sum(sold_units) filter (where unit_cost is null and "value" is null), 0)::bigint,
        uncosted_value: coalesce(
            sum(part_of("value", sold_units, quantity)) filter (where unit_cost is null), 0
        )::decimal(38, 18)
    } as goods,
    sum(part_of("value", kept_units, quantity))::decimal(38, 18) as kept_value,
    sum(part_of("value", sold_units, quantity)) filter (where product_id is null)::decimal(38, 18) as value_without_product,
    sum(part_of("value", sold_units, quantity))::decimal(38, 18) as sale_value,
    sum(gift_card_value)::decimal(38, 18) as gift_card_value,
    sum(ordered_gift_card_value)::decimal(18, 6) as ordered_gift_card_value,
    list_sort(list_distinct(list(product_id) filter (product_id is not null and sold_units > 0))) as product_ids
from order_lines
group by all
