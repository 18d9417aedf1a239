-- The customers who entered through this product in the period and bought again, by calendar month since.
-- Grain: one row; `rows` has one per month, from 0, the month of the first purchase, to the latest that has begun.
-- Parameters: integration_id, product_id, date_from, date_to, today, now.
-- Follows [D40]: a repurchase is at a later instant [D6], of any product; a month counts the customers for whom it has
-- begun by the as-of day [D34].

with

entries as (

    select customer_no, entered_on, date_diff('month', entered_on, as_of_day()) as months_begun
    from period_entries_of_product()

),

month_numbers as (

    select unnest(generate_series(0, (select max(months_begun) from entries))) as month_no

),

observed as (

    select month_numbers.month_no, count(*) as customers
    from month_numbers
    join entries on entries.months_begun >= month_numbers.month_no
    group by month_numbers.month_no

),

returned as (

    select
        date_diff('month', entries.entered_on, sales.sold_on) as month_no,
        count(distinct entries.customer_no) as customers
    from entries
    join sales
        on sales.integration_id = requested_store_id() and sales.customer_no = entries.customer_no
    where sales.is_recurring
        -- A sale may be dated in a month that has not begun by the as-of day, for example east of UTC: it is not observed yet.
        and date_diff('month', entries.entered_on, sales.sold_on) <= entries.months_begun
    group by all

),

month_rows as (

    select
        list(
            {
                month: observed.month_no,
                customers: or_zero(returned.customers),
                observed: observed.customers,
                pct: ratio(safe_divide(or_zero(returned.customers), observed.customers))
            }
            order by observed.month_no
        ) as rows
    from observed
    left join returned on returned.month_no = observed.month_no

),

base as (

    select count(*) as customers from entries

)

select
    block_reason(store_as_of(), base.customers > 0, 'no_entry_customers') as reason,
    instant_text(store_as_of()) as "asOf",
    requested_window() as "window",
    coalesce(month_rows.rows, []) as rows
from base
cross join month_rows
