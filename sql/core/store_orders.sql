-- Orders of every store, in one vocabulary; `is_counted` marks those that the analyses count, `uncounted_for` says why
-- another does not [D3].
-- Grain: one row per integration and order.

with

stores as (

    select
        integration_id,
        'storea' as connector,
        order_id,
        creation_date as ordered_at,
        -- A sale is an order that was invoiced; the invoice dates it [D33].
        invoiced_date as sold_at,
        case
            when coalesce(lower(status), '') = '' then 'incomplete'
            when lower(status) = 'replaced' then 'replaced'
            when lower(status) in ('canceled', 'cancelled', 'cancel') then 'cancelled'
            when authorized_date is null and invoiced_date is null then 'unpaid'
        end as uncounted_for,
        status,
        "value" as revenue,
        total_shipping as shipping,
        total_tax as tax,
        currency,
        customer_id as platform_customer_id,
        real_email(email) as email,
        alias_of(email) as email_alias,
        utm_source,
        utm_medium,
        utm_campaign,
        coupon_code
    from staging.storea_orders

    union all

    select
        integration_id,
        'storeb',
        order_id,
        coalesce(processed_at, created_at),
        coalesce(processed_at, created_at),
        case
            when is_test then 'test'
            when cancelled_at is not null then 'cancelled'
            when coalesce(financial_status, '') not in ('paid', 'partially_paid', 'partially_refunded', 'refunded')
                then 'unpaid'
        end,
        financial_status,
        total_price,
        total_shipping,
        total_tax,
        currency,
        customer_id,
        real_email(email),
        alias_of(email),
        utm_source,
        utm_medium,
        utm_campaign,
        coupon_code
    from staging.storeb_orders

)

select
    stores.*,
    uncounted_for is null as is_counted,
    local_day(ordered_at, integrations.timezone) as ordered_on,
    local_day(sold_at, integrations.timezone) as sold_on,
    normalized(utm_source) as source_key,
    normalized(utm_medium) as medium_key,
    normalized(utm_campaign) as utm_campaign_key,
    upper(nullif(trim(coupon_code), '')) as coupon
from stores
join integrations on integrations.integration_id = stores.integration_id
order by ordered_at, order_id, stores.integration_id
