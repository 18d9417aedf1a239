-- The customers who entered through this product in the period and bought again, by calendar month since.
-- Grain: one row; `rows` has one per month, from 0, the month of the first purchase, to the latest that has begun.
-- Parameters: integration_id, product_id, date_from, date_to, today, now.
-- Follows [D40]: a repurchase is at a later instant [D6], of any product; a month counts the customers for whom it has
-- begun by the as-of day [D34].

with

entries as (

    select date_diff('month', entries.entered_on, store.as_of_day) as months_begun, entries.repurchase_months
    from period_entries_of_product() as entries
    cross join requested_store() as store

),

-- Grain: one row per number of months begun.
begun as (

    select months_begun, count(*) as customers
    from entries
    group by months_begun

),

-- The customers for whom a month has begun.
-- Grain: one row per month.
observed as (

    select months.month_no, sum(begun.customers)::bigint as customers
    from (select unnest(generate_series(0, max(months_begun))) as month_no from begun) as months
    join begun on begun.months_begun >= months.month_no
    group by months.month_no

),

-- Those who bought again in it. A sale may be dated in a month that has not begun by the as-of day, for example east of UTC: it is
-- not observed yet.
-- Grain: one row per month.
repurchased as (

    select month_no, count(*) as customers
    from (select unnest(repurchase_months) as month_no, months_begun from entries)
    where month_no <= months_begun
    group by month_no

),

months as (

    select observed.month_no, observed.customers as observed, or_zero(repurchased.customers) as customers
    from observed
    left join repurchased on repurchased.month_no = observed.month_no

),

month_rows as (

    select
        list(
            {
                month: month_no,
                customers: customers,
                observed: observed,
                pct: ratio(safe_divide(customers, observed))
            }
            order by month_no
        ) as rows
    from months

),

base as (

    select count(*) as customers from entries

)

select
    block_reason(store.is_stale, base.customers > 0, 'no_entry_customers') as reason,
    instant_text(store.as_of) as "asOf",
    requested_window(store) as "window",
    coalesce(month_rows.rows, []) as rows
from base
cross join month_rows
cross join requested_store() as store
