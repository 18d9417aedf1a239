-- The channels through which the period's entry customers of the product came.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,

    -- The product's sales in its customers' first purchases.
    first_purchases_of_product as (
        select customer_no, sum(net_value) as first_net_value
        from product_sales
        where store_no = store and product_no = product and customer_no <> 0 and not is_recurring
        group by customer_no
    ),

    channels as (
        select toString(channel) as channel_key, count() as customers, sum(first_net_value) as net_total
        from product_entries
        join first_purchases_of_product using (customer_no)
        where store_no = store and product_no = product and entered_on between {date_from:Date} and {date_to:Date}
        group by channel_key
    )

select
    'acquisitionChannels' as "block",
    block_reason(store_as_of, {now:DateTime('UTC')}, customers > 0, 'no_entry_customers') as "reason",
    block_state("reason") as "state",
    instant_text(store_as_of) as "asOf",
    'requested' as "periodApplied.basis",
    {date_from:Date} as "window.from",
    {date_to:Date} as "window.to",
    channel_key as "channel",
    channel_label(channel_key) as "label",
    customers as "entryCustomers",
    ratio(per(customers, sum(customers) over ())) as "share",
    money(net_total) as "netSales"
from channels
order by customers desc, channel_key
