-- What the site reports of the product in the period.

with

{{product}},

totals as (

    select
        count(*) > 0 as has_base,
        coalesce(sum(views), 0) as views,
        coalesce(sum(add_to_carts), 0) as add_to_carts,
        coalesce(sum(checkouts), 0) as checkouts,
        coalesce(sum(purchases), 0) as purchases
    from product_site_days
    where product_no = {{product_no}} and {{in_period: happened_on}}

),

-- Unknown, not zero, if no site is connected.
known as (

    select
        site_as_of,
        case
            when site_as_of is null then 'source_not_connected'
            else block_reason(site_as_of, $now, has_base, 'no_period_data')
        end as reason,
        case when site_as_of is not null then totals.views end as views,
        case when site_as_of is not null then totals.add_to_carts end as add_to_carts,
        case when site_as_of is not null then totals.checkouts end as checkouts,
        case when site_as_of is not null then totals.purchases end as purchases
    from organization
    cross join totals

)

select
    'funnel' as block,
    block_state(reason) as state,
    reason,
    instant_text(site_as_of) as "asOf",
    {{period_window}},
    views,
    add_to_carts as "addToCarts",
    checkouts,
    purchases,
    ratio(per(add_to_carts, views)) as "viewToCartRate",
    ratio(per(checkouts, add_to_carts)) as "cartToCheckoutRate",
    ratio(per(purchases, checkouts)) as "checkoutToPurchaseRate",
    ratio(per(purchases, views)) as "viewToPurchaseRate"
from known
