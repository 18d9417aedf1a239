-- The customers who entered through this product, by the month of their first purchase: the last twelve months that
-- have any.
-- Grain: one row; `rows` has a month each, in order. Cohorts of several products overlap: they are not to be summed.
-- Parameters: integration_id, product_id, today, now.
-- Follows [D34], [D40]: a cohort's figures are the listing's.

with

entries as (

    select *, date_trunc('month', entered_on)::date as group_id
    from entries_of_product()

),

months as (

    from cohort_totals('entries')
    order by group_id desc
    limit 12

),

totals as (

    select
        count(*) as months,
        min(group_id) as first_on,
        max(group_id) as last_month,
        max(last_entered_on) as last_entered_on,
        list(
            {
                month: group_id,
                entryCustomers: customers,
                matureEntryCustomers: mature_customers,
                ltv180: average(safe_divide(revenue_180, mature_customers)),
                repurchaseRate180: ratio(safe_divide(repurchased_180, mature_customers)),
                ltvToDate: average(safe_divide(revenue, customers)),
                repurchaseRateToDate: ratio(safe_divide(repurchased, customers)),
                cohortElapsedDaysAverage: days(safe_divide(elapsed_days, customers))
            }
            order by group_id
        ) as rows
    from months

)

select
    block_reason(store.is_stale, totals.months > 0, 'no_entry_customers') as reason,
    instant_text(store.as_of) as "asOf",
    case
        -- The current month ends today, unless the store's day is ahead of it.
        when totals.months > 0 then {
            'from': totals.first_on,
            'to': least(last_day(totals.last_month), greatest(request_day(), totals.last_entered_on))
        }
    end as "window",
    true as "overlappingRows",
    12 as "cohortWindowMonths",
    coalesce(totals.rows, []) as rows
from totals
cross join requested_store() as store
