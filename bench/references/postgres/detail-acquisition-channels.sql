-- The channels through which the period's entry customers of the product came.

with

product as (

    select
        products.*,
        stores.last_landed_at,
        least($today::date, stores.last_landed_at::date) as as_of_on
    from products
    join stores using (store_no)
    where stores.integration_id = $integration_id::uuid and products.product_id = $product_id

),

-- The product's sales in its customers' first purchases.
first_purchases as (

    select customer_no, sum(net_value) as net_value
    from product_sales
    where product_no = (select product_no from product) and customer_no is not null and not is_recurring
    group by 1

),

channels as (

    select
        entries.channel,
        count(*) as customers,
        sum(count(*)) over () as all_customers,
        sum(first_purchases.net_value) as net_value
    from product_entries as entries
    join first_purchases using (customer_no)
    where entries.product_no = (select product_no from product) and entries.entered_on between $date_from::date and $date_to::date
    group by entries.channel

)

select
    'acquisitionChannels' as block,
    block_state(block_reason(product.last_landed_at, $now::timestamp, channels.channel is not null, 'no_entry_customers')) as state,
    block_reason(product.last_landed_at, $now::timestamp, channels.channel is not null, 'no_entry_customers') as reason,
    instant_text(product.last_landed_at) as "asOf",
    'requested' as "periodApplied.basis",
    $date_from::date as "window.from",
    $date_to::date as "window.to",
    channels.channel,
    channel_label(channels.channel) as label,
    channels.customers as "entryCustomers",
    ratio(channels.customers / channels.all_customers) as share,
    amount(channels.net_value) as "netSales"
from product
left join channels on true
order by channels.customers desc, channels.channel
