-- Customers who entered through the product in the period and bought again, by calendar month since.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,
    least({today:Date}, toDate(store_as_of)) as as_of_on,

    entries as (
        select customer_no, entered_on
        from product_entries
        where store_no = store and product_no = product and entered_on between {date_from:Date} and {date_to:Date}
    ),

    observed as (
        select arrayJoin(range(toUInt32(dateDiff('month', entered_on, as_of_on) + 1))) as month_no, count() as observed_customers
        from entries
        group by month_no
    ),

    returned as (
        select
            toUInt32(dateDiff('month', entered_on, sold_on)) as month_no,
            groupBitmap(customer_no) as returned_customers
        from sales
        join entries using (customer_no)
        where store_no = store and is_recurring and customer_no in (select customer_no from entries)
        group by month_no
    )

select
    'retention' as "block",
    block_reason(store_as_of, {now:DateTime('UTC')}, observed_customers > 0, 'no_entry_customers') as "reason",
    block_state("reason") as "state",
    instant_text(store_as_of) as "asOf",
    'requested' as "periodApplied.basis",
    {date_from:Date} as "window.from",
    {date_to:Date} as "window.to",
    month_no as "month",
    returned_customers as "customers",
    observed_customers as "observed",
    ratio(per(returned_customers, observed_customers)) as "pct"
from observed
left join returned using (month_no)
order by month_no
