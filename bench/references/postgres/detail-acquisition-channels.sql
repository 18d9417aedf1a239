-- The channels through which the period's entry customers of the product came.

with

product as (

    select
        products.*,
        stores.has_returns,
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

)

select
    'acquisitionChannels' as block,
    entries.channel,
    count(*) as "entryCustomers",
    ratio(count(*) / sum(count(*)) over ()) as share,
    amount(sum(first_purchases.net_value)) as "netSales"
from product_entries as entries
join first_purchases using (customer_no)
where entries.product_no = (select product_no from product) and entries.entered_on between $date_from::date and $date_to::date
group by entries.channel
order by 3 desc, entries.channel
