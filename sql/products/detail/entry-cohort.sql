-- The customers who entered through this product, by the month of their first purchase: the last twelve months that
-- have any.
-- Grain: one row; `rows` has a month each, in order. Cohorts of several products overlap: they are not to be summed.
-- Parameters: integration_id, product_id, today, now.
-- Follows [D34], [D40]: a cohort's figures are the listing's.

with

entries as (

    select
        entries.*,
        date_trunc('month', entries.entered_on)::date as month,
        least(greatest(store.as_of_day - entries.entered_on, 0), 180) as elapsed_days
    from entries_of_product() as entries
    cross join requested_store() as store

),

cohorts as (

    select
        month,
        max(entered_on) as last_entered_on,
        count(*) as customers,
        count(*) filter (where elapsed_days = 180) as mature_customers,
        sum(net_revenue_180) filter (where elapsed_days = 180) as revenue_180,
        count(*) filter (where elapsed_days = 180 and has_repurchased_180) as repurchased_180,
        sum(net_revenue) as revenue,
        count(*) filter (where has_repurchased) as repurchased,
        sum(elapsed_days) as elapsed_days
    from entries
    group by month
    order by month desc
    limit 12

),

month_rows as (

    select
        list(
            {
                month: month,
                entryCustomers: customers,
                matureEntryCustomers: mature_customers,
                ltv180: average(safe_divide(revenue_180, mature_customers)),
                repurchaseRate180: ratio(safe_divide(repurchased_180, mature_customers)),
                ltvToDate: average(safe_divide(revenue, customers)),
                repurchaseRateToDate: ratio(safe_divide(repurchased, customers)),
                cohortElapsedDaysAverage: days(safe_divide(elapsed_days, customers))
            }
            order by month
        ) as rows
    from cohorts

),

base as (

    select
        count(*) as months,
        min(month) as first_on,
        -- The current month ends today, unless the store's day is ahead of it.
        least(last_day(max(month)), greatest(request_day(), max(last_entered_on))) as last_on
    from cohorts

)

select
    block_reason(store_as_of(), base.months > 0, 'no_entry_customers') as reason,
    instant_text(store_as_of()) as "asOf",
    case when base.months > 0 then {'from': base.first_on, 'to': base.last_on} end as "window",
    true as "overlappingRows",
    12 as "cohortWindowMonths",
    coalesce(month_rows.rows, []) as rows
from base
cross join month_rows
