-- The channels of the period's entry customers of this product.
-- Grain: one row; `rows` has one per channel, the one with most customers first.
-- Parameters: integration_id, product_id, date_from, date_to, now.
-- Follows [D40]; the channel [D15] is that of the customer's first sale in the store [D34]. `netSales` is that of the
-- product in the first purchase.

with

channels as (

    select channel, count(*) as customers, sum(first_net_value) as net_value
    from period_entries_of_product()
    group by channel

),

totals as (

    select
        or_zero(sum(customers)) as customers,
        list({channel: channel, customers: customers, net_value: net_value} order by customers desc, channel) as channels
    from channels

)

select
    block_reason(store.is_stale, totals.customers > 0, 'no_entry_customers') as reason,
    instant_text(store.as_of) as "asOf",
    requested_window(store) as "window",
    coalesce(
        list_transform(totals.channels, lambda entered: {
            channel: entered.channel,
            label: channel_label(entered.channel),
            entryCustomers: entered.customers,
            share: ratio(safe_divide(entered.customers, totals.customers)),
            netSales: money(entered.net_value)
        }),
        []
    ) as rows
from totals
cross join requested_store() as store
