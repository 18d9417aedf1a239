-- What the site reports of the product in the period.

with

product as (

    select
        products.*,
        stores.last_landed_at,
        least($today::date, stores.last_landed_at::date) as as_of_on
    from products
    join stores using (store_no)
    where stores.integration_id = $integration_id::uuid and products.product_id = $product_id

),

totals as (

    select
        count(*) > 0 as has_base,
        coalesce(sum(views), 0) as views,
        coalesce(sum(add_to_carts), 0) as add_to_carts,
        coalesce(sum(checkouts), 0) as checkouts,
        coalesce(sum(purchases), 0) as purchases
    from product_site_days
    where product_no = (select product_no from product) and happened_on between $date_from::date and $date_to::date

),

-- Unknown, not zero, if no site is connected.
known as (

    select
        organization.site_as_of,
        block_reason(
            organization.site_as_of,
            $now::timestamp,
            organization.site_as_of is not null and totals.has_base,
            case when organization.site_as_of is null then 'source_not_connected' else 'no_period_data' end
        ) as reason,
        case when organization.site_as_of is not null then totals.views end as views,
        case when organization.site_as_of is not null then totals.add_to_carts end as add_to_carts,
        case when organization.site_as_of is not null then totals.checkouts end as checkouts,
        case when organization.site_as_of is not null then totals.purchases end as purchases
    from organization
    cross join totals

)

select
    'funnel' as block,
    block_state(reason) as state,
    reason,
    instant_text(site_as_of) as "asOf",
    'requested' as "periodApplied.basis",
    $date_from::date as "window.from",
    $date_to::date as "window.to",
    views,
    add_to_carts as "addToCarts",
    checkouts,
    purchases,
    ratio(add_to_carts / nullif(views, 0)) as "viewToCartRate",
    ratio(checkouts / nullif(add_to_carts, 0)) as "cartToCheckoutRate",
    ratio(purchases / nullif(checkouts, 0)) as "checkoutToPurchaseRate",
    ratio(purchases / nullif(views, 0)) as "viewToPurchaseRate"
from known
