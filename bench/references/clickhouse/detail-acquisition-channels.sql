-- The channels through which the period's entry customers of the product came.

with
    (select store_no from stores where integration_id = {integration_id:String}) as store,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,

    -- The product's sales in its customers' first purchases.
    first_purchases as (
        select customer_no, sum(net_value) as first_net_value
        from product_sales
        where store_no = store and product_no = product and customer_no <> 0 and not is_recurring
        group by customer_no
    ),

    channels as (
        select channel, count() as customers, sum(first_net_value) as net_total
        from product_entries
        join first_purchases using (customer_no)
        where store_no = store and product_no = product and entered_on between {date_from:Date} and {date_to:Date}
        group by channel
    )

select
    'acquisitionChannels' as block,
    channel,
    customers as "entryCustomers",
    ratio(per(customers, sum(customers) over ())) as share,
    money(net_total) as "netSales"
from channels
order by customers desc, channel
