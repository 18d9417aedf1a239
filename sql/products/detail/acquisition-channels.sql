-- The channels of the period's entry customers of this product.
-- Grain: one row; `rows` has one per channel, the one with most customers first.
-- Parameters: integration_id, product_id, date_from, date_to, now.
-- Follows [D40]; the channel [D15] is that of the customer's first sale in the store [D34]. `netSales` is that of the
-- product in the first purchase.

with

first_purchases as (

    select customer_no, sum(net_value) as net_value
    from sales_of_product()
    where customer_no is not null and not is_recurring
    group by customer_no

),

channels as (

    select entries.channel, count(*) as customers, sum(first_purchases.net_value) as net_value
    from period_entries_of_product() as entries
    join first_purchases on first_purchases.customer_no = entries.customer_no
    group by entries.channel

),

base as (

    select or_zero(sum(customers)) as customers from channels

),

channel_rows as (

    select
        list(
            {
                channel: channels.channel,
                label: channel_label(channels.channel),
                entryCustomers: channels.customers,
                share: ratio(safe_divide(channels.customers, base.customers)),
                netSales: money(channels.net_value)
            }
            order by channels.customers desc, channels.channel
        ) as rows
    from channels
    cross join base

)

select
    block_reason(store_as_of(), base.customers > 0, 'no_entry_customers') as reason,
    instant_text(store_as_of()) as "asOf",
    requested_window() as "window",
    coalesce(channel_rows.rows, []) as rows
from base
cross join channel_rows
