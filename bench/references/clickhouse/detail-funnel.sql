-- What the site reports of the product in the period.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,
    (select site_as_of from organization) as site_as_of,

    totals as (
        select
            count() > 0 as has_base,
            sum(product_site_days.views) as view_total,
            sum(add_to_carts) as cart_total,
            sum(product_site_days.checkouts) as checkout_total,
            sum(product_site_days.purchases) as purchase_total
        from product_site_days
        where product_no = product and happened_on between {date_from:Date} and {date_to:Date}
    )

-- Unknown, not zero, if no site is connected.
select
    'funnel' as "block",
    if(
        site_as_of is null,
        'source_not_connected',
        block_reason(site_as_of, {now:DateTime('UTC')}, has_base, 'no_period_data')
    ) as "reason",
    block_state("reason") as "state",
    instant_text(site_as_of) as "asOf",
    'requested' as "periodApplied.basis",
    {date_from:Date} as "window.from",
    {date_to:Date} as "window.to",
    if(site_as_of is null, null, view_total) as "views",
    if(site_as_of is null, null, cart_total) as "addToCarts",
    if(site_as_of is null, null, checkout_total) as "checkouts",
    if(site_as_of is null, null, purchase_total) as "purchases",
    ratio(per("addToCarts", "views")) as "viewToCartRate",
    ratio(per("checkouts", "addToCarts")) as "cartToCheckoutRate",
    ratio(per("purchases", "checkouts")) as "checkoutToPurchaseRate",
    ratio(per("purchases", "views")) as "viewToPurchaseRate"
from totals
