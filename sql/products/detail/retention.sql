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

-- A sale may be dated in a month that has not begun by the as-of day, for example east of UTC: it is not observed yet.
observed as (

    select unnest(generate_series(0, months_begun)) as month_no, repurchase_months
    from entries

),

months as (

    select
        month_no,
        count(*) as observed,
        count(*) filter (list_contains(repurchase_months, month_no)) as customers
    from observed
    group by month_no

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
