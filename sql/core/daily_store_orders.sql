-- Counted orders of each store per day, already summed: by the day on which they were placed, and the day on which they
-- became sales [D33].
-- Grain: one row per store, day placed and day sold; `sold_on` is null for orders that are no sales.
-- Key: integration_id, ordered_on, sold_on
-- Kept for: analyses
-- Order: ordered_on, sold_on, integration_id
-- Sums: orders, revenue, shipping, tax, gift_card_value, value_without_product

select
    integration_id,
    ordered_on,
    sold_on,
    count(*) as orders,
    sum(revenue) as revenue,
    coalesce(sum(shipping_charged), 0) as shipping,
    coalesce(sum(tax_charged), 0) as tax,
    coalesce(sum(gift_card_value), 0) as gift_card_value,
    coalesce(sum(value_without_product), 0) as value_without_product
from orders
group by integration_id, ordered_on, sold_on
