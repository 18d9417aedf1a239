-- The channels through which the period's entry customers of the product came.

with

{{product}},

-- The product's sales in its customers' first purchases.
first_sales as (

    select customer_no, sum(net_value) as net_value
    from product_sales
    where {{of_product}} and customer_no <> 0 and not is_recurring
    group by customer_no

),

channels as (

    select channel, count(*) as customers, sum(net_value) as net_value
    from product_entries
    join first_sales using (customer_no)
    where {{of_product}} and {{in_period: entered_on}}
    group by channel

)

select
    {{block: acquisitionChannels | customers > 0 | no_entry_customers}},
    {{period_window}},
    channel,
    channel_label(channel) as label,
    customers as "entryCustomers",
    ratio(per(customers, sum(customers) over ())) as share,
    amount(net_value) as "netSales"
from channels
order by customers desc, channel
