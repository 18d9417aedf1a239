-- The counted orders of all stores [D3], each with its customer, its number in the customer's history, its channel
-- and campaign, and its cost where known. Every order repeats what analyses need of the customer's first order.
-- Grain: one row per counted order. `customer_no` is null for anonymous orders, which count only in revenue and
-- orders. `purchased_at` is the instant of the purchase that the order is a part of. `order_no` is 1 for all orders of the
-- customer's first purchase, then 2, 3… [D51]. `campaign_connector` is null for a campaign that never landed.
-- Follows [D4] revenue, [D5] customer, [D6] first order, purchases and days, [D14], [D15], [D17].
-- Variables: customers_before (how many customer numbers are already assigned), customer_secret.
-- Key: integration_id, order_id
-- Kept for: analyses
-- Partition: days of ordered_on
-- Order: ordered_on, ordered_at
-- Per: order
-- Surrogate: customer_no of identified_orders.person_id

with

attributed as (

    select
        identified_orders.*,
        order_sources.channel,
        order_sources.campaign_key,
        order_sources.campaign_connector,
        order_sources.strategy
    from identified_orders
    left join order_sources
        on order_sources.utm_source is not distinct from identified_orders.utm_source
        and order_sources.utm_medium is not distinct from identified_orders.utm_medium
        and order_sources.utm_campaign is not distinct from identified_orders.utm_campaign
    where identified_orders.is_counted

),

first_times as (

    select person_id, min(ordered_at) as first_at
    from attributed
    where person_id is not null
    group by person_id

),

-- If a person has several orders at the first instant, ids decide which is the first. Its attributes begin with `first_`:
-- customers, their months and the daily rollups pass on all of them.
firsts as (

    select
        attributed.person_id,
        attributed.integration_id,
        attributed.order_id,
        first_times.first_at,
        attributed.ordered_on as first_on,
        attributed.integration_id as first_integration_id,
        attributed.channel as first_channel,
        attributed.campaign_key as first_campaign_key,
        attributed.campaign_connector as first_campaign_connector,
        attributed.strategy as first_strategy,
        attributed.coupon as first_coupon
    from attributed
    join first_times on first_times.person_id = attributed.person_id and first_times.first_at = attributed.ordered_at
    qualify row_number() over (
        partition by attributed.person_id order by attributed.order_id, attributed.integration_id
    ) = 1

),

first_orders as (

    select
        firsts.*,
        customer_id_of(firsts.person_id) as customer_id,
        coalesce(
            known_customers.customer_no,
            getvariable('customers_before') + row_number() over (
                partition by known_customers.customer_no is null
                order by firsts.first_at, firsts.order_id, firsts.integration_id
            )
        ) as customer_no
    from firsts
    left join known_customers on known_customers.person_id = firsts.person_id

),

-- Baskets that the platform split into orders at different instants.
split_baskets as (

    select person_id, integration_id, order_group, min(ordered_at) as purchased_at
    from attributed
    where person_id is not null and order_group is not null
    group by person_id, integration_id, order_group
    having min(ordered_at) < max(ordered_at)

),

described as (

    select
        attributed.* exclude (
            order_name, version, exclusion_reason, utm_source, utm_medium, utm_campaign, email_alias, landed_at, export_name, account_id,
            email_id, is_counted, is_known_payment, payment_method, person_id
        ),
        date_trunc('month', attributed.ordered_on)::date as ordered_month,
        coalesce(split_baskets.purchased_at, attributed.ordered_at) as purchased_at,
        first_orders.customer_no,
        first_orders.customer_id,
        first_orders.* exclude (person_id, integration_id, order_id, first_at, customer_no, customer_id),
        date_trunc('month', first_orders.first_on)::date as first_month,
        -- The customer's first order itself [D6].
        coalesce(
            first_orders.integration_id = attributed.integration_id and first_orders.order_id = attributed.order_id, false
        ) as is_first,
        -- Part of a later purchase than the first [D6].
        coalesce(
            coalesce(split_baskets.purchased_at, attributed.ordered_at) > first_orders.first_at, false
        ) as is_recurring,
        order_totals.value_without_product,
        order_totals.gift_card_value,
        coalesce(order_totals.units, 0) as units,
        order_totals.units as items,
        coalesce(order_totals.sale_value, 0) as sale_value,
        coalesce(order_totals.ordered_gift_card_value, 0) as ordered_gift_card_value,
        real_cost(order_totals.units, order_totals.units_with_cost, order_totals.cost) as cost
    from attributed
    left join first_orders on first_orders.person_id = attributed.person_id
    left join split_baskets
        on split_baskets.person_id = attributed.person_id
        and split_baskets.integration_id = attributed.integration_id
        and split_baskets.order_group = attributed.order_group
    left join order_totals
        on order_totals.integration_id = attributed.integration_id and order_totals.order_id = attributed.order_id

)

select
    * exclude (cost),
    case
        when is_recurring
            then 1 + count(*) filter (where is_recurring) over (
                partition by customer_no order by ordered_at, order_id, integration_id rows unbounded preceding
            )
        when customer_no is not null then 1
    end::integer as order_no,
    -- Day of the customer's previous order, by day. A customer who bought in a period and before its start has exactly one
    -- order in it whose previous day is before the start: these can be counted without a distinct count. Never earlier
    -- than the first order's day: in another time zone the day of a later order may be.
    case
        when customer_no is not null and lag(ordered_on) over in_days is not null
            then greatest(lag(ordered_on) over in_days, first_on)
    end as previous_on,
    -- In the same way, the day of the customer's previous order that is a returning customer's and attributed to
    -- monetization.
    case
        when customer_no is not null
            then lag(case when is_recurring and strategy = 'monetization' then ordered_on end ignore nulls) over in_days
    end as previous_monetized_on,
    cost is not null as has_real_cost,
    cost
from described
window in_days as (partition by customer_no order by ordered_on, ordered_at, order_id, integration_id)
