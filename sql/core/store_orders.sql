-- Orders of every store, in one vocabulary. `is_counted` marks the orders that the analyses count; `exclusion_reason`
-- says why another order is not counted [D3]. Every column follows from the winning version of the order only.
-- Grain: one row per integration and order. `account_id` represents the platform's own customer, `email_id` an e-mail
-- that identifies a person, `email_alias` one that does not [D5]; `version` is the vendor's time of the version. `order_name` is
-- the number that people see, if it is not the id; `landed_at` and `export_name` are those of the landing and of the export that
-- brought the version (`export_name` null for one that is joined from several).
-- Variables: order_exports.
-- Key: integration_id, order_id
-- Kept for: nothing
-- Per: order version

with

stores as (

    select
        integration_id,
        'storea' as connector,
        order_id,
        null::varchar as order_name,
        last_change as version,
        creation_date as ordered_at,
        -- A sale is an order that was invoiced; the invoice dates it [D33].
        invoiced_date as sold_at,
        case
            when coalesce(lower(trim(status)), '') = '' then 'incomplete'
            when storea_status(status) = 'replaced' then 'replaced'
            when storea_status(status) in ('canceled', 'cancelled', 'cancel') then 'cancelled'
            when authorized_date is null and invoiced_date is null then 'unpaid'
        end as exclusion_reason,
        status,
        "value" as revenue,
        order_group,
        total_shipping as shipping,
        total_tax as tax,
        list_filter([payment_method, payment_method_group], lambda name: filled(name) is not null) as payment_names,
        currency,
        unless_guest(customer_id) as platform_customer_id,
        unmasked(unless_filler(email)) as email,
        if(coalesce(carries_source, true), utm_source, no_source()) as utm_source,
        utm_medium,
        unless_filler(utm_campaign) as utm_campaign,
        unless_filler(coupon_code) as coupon_code,
        inserted_at as landed_at,
        _landing_order.landing as landing,
        _landing_order.file as file_no
    from staging.storea_orders

    union all

    select
        integration_id,
        'storeb',
        order_id,
        name,
        updated_at,
        coalesce(processed_at, created_at),
        coalesce(processed_at, created_at),
        case
            when cancelled_at is not null then 'cancelled'
            when is_test then 'test'
            when coalesce(storeb_status(financial_status), '') not in ('paid', 'partially_paid', 'partially_refunded', 'refunded')
                then 'unpaid'
        end,
        financial_status,
        total_price,
        null,
        total_shipping,
        total_tax,
        texts_in(payment_gateway_names),
        currency,
        case
            when unless_guest(regexp_replace(customer_id, '^gid://shopify/Customer/', '')) is not null then customer_id
        end,
        unmasked(unless_filler(email)),
        if(coalesce(carries_source, true), utm_source, no_source()),
        utm_medium,
        unless_filler(utm_campaign),
        unless_filler(coupon_code),
        inserted_at,
        _landing_order.landing,
        _landing_order.file
    from staging.storeb_orders

),

exports as (

    select integration_id, rows_landing as landing, file_no, any_value(name) as export_name
    from (
        select unnest(from_json(
            getvariable('order_exports'),
            '[{"integration_id": "varchar", "rows_landing": "integer", "file_no": "integer", "name": "varchar"}]'
        ), recursive := true)
    )
    group by integration_id, rows_landing, file_no

),

with_aliases as (

    select *, alias_of(email) as email_alias
    from stores

)

select
    with_aliases.* exclude (platform_customer_id, email, coupon_code, landing, file_no),
    exports.export_name,
    key_of(coalesce(
        'n:' || erased_number(platform_customer_id),
        'p:' || with_aliases.integration_id || ':' || platform_customer_id
    )) as account_id,
    -- The number of an erased customer decides alone: other orders of that customer may still have an e-mail.
    case when email_alias is null and erased_number(platform_customer_id) is null then key_of('e:' || email) end as email_id,
    exclusion_reason is null as is_counted,
    local_day(ordered_at, integrations.timezone) as ordered_on,
    local_day(sold_at, integrations.timezone) as sold_on,
    upper(nullif(trimmed(coupon_code), '')) as coupon
from with_aliases
join integrations on integrations.integration_id = with_aliases.integration_id
left join exports
    on exports.integration_id = with_aliases.integration_id
    and exports.landing = with_aliases.landing
    and exports.file_no = with_aliases.file_no
