-- What visitors did with the items of the shop, over all web analytics properties: the funnel of a product is the sum
-- over its ids [D40].
-- Grain: one row per day and item.
-- Key: happened_on, item_id
-- Kept for: analyses
-- Order: happened_on, item_id

select
    "date" as happened_on,
    item_id,
    sum(items_viewed)::bigint as views,
    sum(items_added_to_cart)::bigint as add_to_carts,
    sum(items_checked_out)::bigint as checkouts,
    sum(items_purchased)::bigint as purchases
from staging.webanalytics_items
where item_id is not null
group by all
