-- Orders of every store, in one vocabulary. `is_counted` marks the orders that the analyses count; `exclusion_reason`
-- says why another order is not counted [D3]. Every column follows from the winning version of the order only.
-- Grain: one row per integration and order. `account_id` represents the platform's own customer, `email_id` an e-mail
-- that identifies a person, `email_alias` one that does not [D5]; `version` is the vendor's time of the version. `order_name` is
-- the number that people see, if it is not the id; `landed_at` and `export_name` are those of the landing and of the export that
-- brought the version (`export_name` null for one that is joined from several). The columns from `payment_method` on are what an
-- order carries [D88]: `orders` and `uncounted_orders` pass on all of them. `is_known_payment`: whether anything says the group of its
-- payment. `city_key` is the city folded, in upper case.
-- Variables: order_exports, settings.
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
        _landing_order.file as file_no,
        -- The names of the payment that the order goes by: of several the first that is no gift card. Without a group, as in a
        -- download, the cell may name several.
        case
            when storea_payment_group(payment_method_group) is not null then [payment_method]
            when payment_method_group is not null then [coalesce(payment_method, payment_method_group)]
            else coalesce(list_filter(string_split(payment_method, ','), lambda name: filled(name) is not null), [])
        end as paid_by,
        payment_method_group as vendor_group,
        false as has_card_company,
        case when installments >= 1 then installments end as installments,
        shipping_state as state,
        shipping_city as city,
        shipping_country as country,
        abs(total_discounts) as discount,
        total_shipping as shipping_charged,
        total_tax as tax_charged,
        sales_channel
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
        _landing_order.file,
        case when payment_method is not null then [payment_method] else texts_in(payment_gateway_names) end,
        null,
        payment_company is not null,
        null,
        shipping_state,
        shipping_city,
        shipping_country,
        abs(total_discounts),
        total_shipping,
        total_tax,
        source_name
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

),

paid_names as (

    select distinct unnest(paid_by) as name
    from stores

),

named_payments as (

    select
        paid_names.name,
        arg_min(rules.payment_group, rules.position) as ruled_group
    from paid_names
    left join payment_rules() as rules on normalized(paid_names.name) like rules.pattern escape '\'
    group by paid_names.name

),

termed_payments as (

    select
        paid_names.name,
        arg_min(terms.payment_group, terms.line) as termed_group
    from paid_names
    join payment_terms() as terms
        on case when terms.is_whole then words_of(folded(paid_names.name)) = terms.words
            else contains(words_of(folded(paid_names.name)), terms.words) end
    group by paid_names.name

),

known_payments as (

    select named_payments.name, named_payments.ruled_group, termed_payments.termed_group
    from named_payments
    left join termed_payments on termed_payments.name = named_payments.name

),

payments as (

    select paid_by, vendor_group, has_card_company
    from stores
    group by all

),

candidates as (

    select payments.*, unnest(paid_by) as name, generate_subscripts(paid_by, 1) as place
    from payments

),

-- One payment of each combination. An order without a name may still have a card company.
chosen_payments as (

    select
        payments.paid_by,
        payments.vendor_group,
        payments.has_card_company,
        arg_min(
            {name: known.name, ruled: known.ruled_group, termed: known.termed_group},
            {is_gift_card: coalesce(known.ruled_group, known.termed_group, '') = 'gift_card', place: candidates.place}
        ) as payment
    from payments
    left join candidates
        on candidates.paid_by = payments.paid_by
        and candidates.vendor_group is not distinct from payments.vendor_group
        and candidates.has_card_company = payments.has_card_company
    left join known_payments as known on known.name = candidates.name
    group by payments.paid_by, payments.vendor_group, payments.has_card_company

),

grouped_payments as (

    select
        * exclude (payment),
        payment.name as payment_method,
        coalesce(
            payment.ruled,
            storea_payment_group(vendor_group),
            payment.termed,
            case when has_card_company then 'credit_card' end,
            case when payment.name is not null then 'unknown' end
        ) as found_group
    from chosen_payments

),

places as (

    select state, city, country
    from stores
    group by all

),

named_places as (

    select
        *,
        state_of(state, country) as state_code,
        single_spaced(city) as city_name,
        upper(folded(city)) as city_key,
        country_of(country) as country_code
    from places

)

select
    with_aliases.* exclude (
        platform_customer_id, email, coupon_code, landing, file_no, paid_by, vendor_group, has_card_company
    ) replace (
        named_places.state_code as state,
        named_places.city_name as city,
        named_places.country_code as country
    ),
    grouped_payments.payment_method,
    coalesce(grouped_payments.found_group <> 'unknown', true) as is_known_payment,
    case grouped_payments.found_group when 'unknown' then 'other' else grouped_payments.found_group end as payment_group,
    named_places.city_key,
    hour(timezone(coalesce(integrations.timezone, 'UTC'), ordered_at))::utinyint as hour,
    isodow(local_day(ordered_at, integrations.timezone))::utinyint as weekday,
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
join grouped_payments
    on grouped_payments.paid_by is not distinct from with_aliases.paid_by
    and grouped_payments.vendor_group is not distinct from with_aliases.vendor_group
    and grouped_payments.has_card_company = with_aliases.has_card_company
join named_places
    on named_places.state is not distinct from with_aliases.state
    and named_places.city is not distinct from with_aliases.city
    and named_places.country is not distinct from with_aliases.country
left join exports
    on exports.integration_id = with_aliases.integration_id
    and exports.landing = with_aliases.landing
    and exports.file_no = with_aliases.file_no
