-- Customers who entered through the product in the period and bought again, by calendar month since.

with

{{product}},

entries as {{materialized}} (

    select customer_no, entered_on, {{of_store: as_of_on}} as as_of_on
    from product_entries
    where {{of_product}} and {{in_period: entered_on}}

),

observed as (

    select month_no, count(*) as observed_customers
    from entries
    {{steps: month_no | months_between(entered_on, as_of_on)}}
    group by month_no

),

returned as (

    select months_between(entered_on, sold_on) as month_no, count(distinct customer_no) as returned_customers
    from sales
    join entries using (customer_no)
    where store_no = {{of_store: store_no}} and is_recurring
    group by month_no

)

select
    {{block: retention | observed_customers > 0 | no_entry_customers}},
    {{period_window}},
    month_no as "month",
    coalesce(returned_customers, 0) as customers,
    observed_customers as observed,
    ratio(per(coalesce(returned_customers, 0), observed_customers)) as pct
from observed
left join returned using (month_no)
order by month_no
