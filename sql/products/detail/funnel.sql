-- The product's funnel on the site in the period: what the web analytics properties report under any of its ids.
-- Grain: one row.
-- Parameters: integration_id, product_id, date_from, date_to, now.
-- Follows [D40]; `asOf` [D9] is that of the web analytics properties. If they never landed anything, the figures are
-- unknown, not zero. Units are summed as reported: a rate over 1 is an error of the site's tag.

with

connections as (

    select min(last_landed_at) as as_of
    from integrations
    where kind = 'analytics'

),

item_days as (

    select site_items.*
    from site_items
    join product_items on product_items.item_id = site_items.item_id
    join requested_store() as store on site_items.happened_on between store.from_on and store.to_on
    where product_items.integration_id = requested_store_id()
        and product_items.product_id = requested_product_id()

),

totals as (

    select
        count(*) > 0 as has_base,
        or_zero(sum(views))::bigint as views,
        or_zero(sum(add_to_carts))::bigint as add_to_carts,
        or_zero(sum(checkouts))::bigint as checkouts,
        or_zero(sum(purchases))::bigint as purchases
    from item_days

),

known as (

    select
        connections.as_of,
        connections.as_of is not null as is_connected,
        totals.has_base,
        case when connections.as_of is not null then totals.views end as views,
        case when connections.as_of is not null then totals.add_to_carts end as add_to_carts,
        case when connections.as_of is not null then totals.checkouts end as checkouts,
        case when connections.as_of is not null then totals.purchases end as purchases
    from connections
    cross join totals

)

select
    block_reason(
        is_stale(known.as_of), is_connected and has_base, case when is_connected then 'no_period_data' else 'source_not_connected' end
    ) as reason,
    instant_text(known.as_of) as "asOf",
    requested_window(store) as "window",
    views,
    add_to_carts as "addToCarts",
    checkouts,
    purchases,
    ratio(safe_divide(add_to_carts, views)) as "viewToCartRate",
    ratio(safe_divide(checkouts, add_to_carts)) as "cartToCheckoutRate",
    ratio(safe_divide(purchases, checkouts)) as "checkoutToPurchaseRate",
    ratio(safe_divide(purchases, views)) as "viewToPurchaseRate"
from known
cross join requested_store() as store
