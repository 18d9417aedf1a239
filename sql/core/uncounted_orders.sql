-- The orders of all stores that are not counted [D3], with the reason, and with revenue, channel, campaign and cost by the
-- rules of counted ones [D51]. They have no customer: who bought is known of counted orders only.
-- Grain: one row per order that is not counted. `reason`: the first that holds of `cancelled`, `replaced`, `test`; else
-- `unpaid`. `campaign_connector` is null for a campaign that never landed.
-- Follows [D4] revenue, [D14], [D15], [D17].
-- Key: integration_id, order_id
-- Kept for: analyses
-- Partition: days of ordered_on
-- Order: ordered_on, ordered_at
-- Per: order

select
    identified_orders.* exclude (
        order_name, version, sold_at, sold_on, exclusion_reason, order_group, payment_names, currency, utm_source, utm_medium, utm_campaign,
        email_alias, landed_at, export_name, account_id, email_id, is_counted, is_known_payment, payment_method, person_id
    ),
    -- A missing status says nothing about the payment.
    case when identified_orders.exclusion_reason = 'incomplete' then 'unpaid' else identified_orders.exclusion_reason end as reason,
    order_sources.channel,
    order_sources.campaign_key,
    order_sources.campaign_connector,
    order_sources.strategy,
    order_totals.units as items,
    real_cost(order_totals.units, order_totals.units_with_cost, order_totals.cost) as cost
from identified_orders
left join order_sources
    on order_sources.utm_source is not distinct from identified_orders.utm_source
    and order_sources.utm_medium is not distinct from identified_orders.utm_medium
    and order_sources.utm_campaign is not distinct from identified_orders.utm_campaign
left join order_totals
    on order_totals.integration_id = identified_orders.integration_id
    and order_totals.order_id = identified_orders.order_id
where not identified_orders.is_counted
