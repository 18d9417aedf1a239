-- Customers who entered through the product in the period and bought again, by calendar month since.

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

entries as materialized (

    select
        product_entries.customer_no,
        (12 * extract(year from product_entries.entered_on) + extract(month from product_entries.entered_on))::int as entered_month,
        (12 * extract(year from product.as_of_on) + extract(month from product.as_of_on))::int as as_of_month
    from product_entries
    cross join product
    where product_entries.product_no = (select product_no from product) and product_entries.entered_on between $date_from::date and $date_to::date

),

observed as (

    select month_no, count(*) as customers
    from entries
    cross join lateral generate_series(0, as_of_month - entered_month) as month_no
    group by 1

),

returned as (

    select
        (12 * extract(year from sales.sold_on) + extract(month from sales.sold_on))::int - entries.entered_month as month_no,
        count(distinct entries.customer_no) as customers
    from entries
    join sales on sales.customer_no = entries.customer_no
    where sales.store_no = (select store_no from product) and sales.is_recurring
    group by 1

)

select
    'retention' as block,
    block_state(block_reason(product.last_landed_at, $now::timestamp, observed.month_no is not null, 'no_entry_customers')) as state,
    block_reason(product.last_landed_at, $now::timestamp, observed.month_no is not null, 'no_entry_customers') as reason,
    instant_text(product.last_landed_at) as "asOf",
    'requested' as "periodApplied.basis",
    $date_from::date as "window.from",
    $date_to::date as "window.to",
    observed.month_no as "month",
    coalesce(returned.customers, 0) as customers,
    observed.customers as observed,
    ratio(coalesce(returned.customers, 0)::numeric / observed.customers) as pct
from product
left join observed on true
left join returned using (month_no)
order by observed.month_no
