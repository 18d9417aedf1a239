-- The orders behind a number: counted ones, those that are not counted, or both.
-- Grain: one row per order. Amounts are rounded per row: their sum may differ from that of the cards by half a cent per row.
-- Parameters: start_date, end_date (inclusive; null for the whole history). All others may be missing: counted (true,
--   false, any), acquired_start, acquired_end (day of the customer's first order), acquired_integration_id,
--   acquired_channel (store and channel of it), purchase (first, repeat), customer (new,
--   recurring, anonymous), channel, campaign_id, strategy (`unclassified` for none), integration_id, coupon, and those of
--   setup/carried.sql.
-- Follows [D4], [D6], [D13], [D14], [D15], [D17], [D51], [D88].

select
    selected.order_id as "orderId",
    selected.integration_id as "integrationId",
    selected.connector,
    selected.ordered_on as "orderedOn",
    instant_text(selected.ordered_at) as "orderedAt",
    money(selected.revenue) as revenue,
    money(selected.cost) as cost,
    money(coalesce(selected.revenue - selected.cost, selected.revenue * margin.margin_rate)) as "blendedContribution",
    selected.customer,
    selected.order_no as "customerOrderNo",
    selected.customer_id::varchar as "customerId",
    selected.channel,
    channel_label(selected.channel) as "channelLabel",
    campaigns.campaign_id as "campaignId",
    coalesce(campaigns.campaign_name, selected.campaign_key) as "campaignName",
    selected.strategy,
    selected.coupon,
    selected.reason as "uncountedReason",
    unnest(selected.carried)
from selected_orders() as selected
left join campaigns
    on campaigns.connector = selected.campaign_connector and campaigns.campaign_key = selected.campaign_key
cross join margin
where passes('campaign_id', campaigns.campaign_id)
order by selected.ordered_at, selected.order_id, selected.integration_id
