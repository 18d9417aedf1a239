-- The counted orders of all stores [D3], each with its customer, its place in the customer's history, its channel and
-- campaign, and what is known of its cost. What an analysis needs of the first order stands on every order.
-- Grain: one row per counted order. `customer_no` is null for anonymous orders: they count in revenue and orders alone.
-- Follows [D4] revenue, [D5] customer, [D6] first order and days, [D14], [D15], [D17].

with

counted as (

    select * from store_orders where is_counted

),

-- A platform id's e-mail is the real e-mail of its latest counted order that has one [D5].
platform_emails as (

    select integration_id, platform_customer_id, email
    from counted
    where platform_customer_id is not null and email is not null
    qualify row_number() over (
        partition by integration_id, platform_customer_id order by ordered_at desc, order_id desc
    ) = 1

),

keyed as (

    select
        counted.*,
        case
            when platform_emails.email is not null then 'e:' || platform_emails.email
            when counted.email is not null then 'e:' || counted.email
            when counted.platform_customer_id is not null
                then 'p:' || counted.integration_id || ':' || counted.platform_customer_id
        end as identity
    from counted
    left join platform_emails
        on platform_emails.integration_id = counted.integration_id
        and platform_emails.platform_customer_id = counted.platform_customer_id

),

firsts as (

    select
        identity,
        order_id,
        integration_id,
        ordered_at,
        ordered_on,
        row_number() over (order by ordered_at, order_id, integration_id) as customer_no
    from keyed
    where identity is not null
    qualify row_number() over (partition by identity order by ordered_at, order_id, integration_id) = 1

),

attributed as (

    select
        keyed.*,
        channel_of(source_key, medium_key, keyed.utm_campaign_key) as order_channel,
        order_campaigns.campaign_key,
        order_campaigns.is_landed,
        order_campaigns.strategy
    from keyed
    left join order_campaigns
        on order_campaigns.utm_campaign_key = keyed.utm_campaign_key
        and order_campaigns.channel = channel_of(source_key, medium_key, keyed.utm_campaign_key)

),

first_orders as (

    select
        firsts.identity,
        firsts.customer_no,
        firsts.ordered_at as first_at,
        firsts.ordered_on as first_on,
        attributed.order_channel as first_channel,
        attributed.campaign_key as first_campaign_key,
        attributed.is_landed as first_campaign_is_landed,
        attributed.strategy as first_strategy,
        attributed.coupon as first_coupon
    from firsts
    join attributed on attributed.integration_id = firsts.integration_id and attributed.order_id = firsts.order_id

)

select
    attributed.integration_id,
    attributed.connector,
    attributed.order_id,
    attributed.ordered_at,
    attributed.ordered_on,
    date_trunc('month', attributed.ordered_on)::date as ordered_month,
    attributed.sold_at,
    attributed.sold_on,
    attributed.revenue,
    attributed.shipping,
    attributed.tax,
    attributed.currency,
    attributed.order_channel as channel,
    attributed.campaign_key,
    attributed.is_landed as campaign_is_landed,
    attributed.strategy,
    attributed.coupon,
    first_orders.customer_no,
    first_orders.first_on,
    date_trunc('month', first_orders.first_on)::date as first_month,
    first_orders.first_channel,
    first_orders.first_campaign_key,
    first_orders.first_campaign_is_landed,
    first_orders.first_strategy,
    first_orders.first_coupon,
    -- Orders at the first order's very instant belong to the first purchase [D6].
    coalesce(attributed.ordered_at > first_orders.first_at, false) as is_recurring,
    -- Day of the customer's order before this one, in order of days: whoever bought in a period and before its start has
    -- one order in it whose previous day lies before, which counts without telling customers apart.
    case
        when first_orders.customer_no is not null
            then lag(attributed.ordered_on) over (
                partition by first_orders.customer_no
                order by attributed.ordered_on, attributed.ordered_at, attributed.order_id, attributed.integration_id
            )
    end as previous_on,
    coalesce(order_costs.units, 0) > 0 and order_costs.units_with_cost = order_costs.units as has_real_cost,
    case
        when coalesce(order_costs.units, 0) > 0 and order_costs.units_with_cost = order_costs.units
            then coalesce(order_costs.cost, 0)
    end as cost
from attributed
left join first_orders on first_orders.identity = attributed.identity
left join order_costs
    on order_costs.integration_id = attributed.integration_id and order_costs.order_id = attributed.order_id
order by attributed.ordered_on, attributed.ordered_at, attributed.order_id, attributed.integration_id
