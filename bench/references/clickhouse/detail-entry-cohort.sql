-- The customers who entered through a product, by the month of that order: the last twelve with any.

with
    (select tuple(store_no, last_landed_at) from stores where integration_id = {integration_id:String}) as asked_store,
    asked_store.1 as store,
    asked_store.2 as store_as_of,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,
    least({today:Date}, toDate(store_as_of)) as as_of_on,

    cohorts as (
        select
            toStartOfMonth(entered_on) as month_on,
            max(entered_on) as last_entered_on,
            count() as entered,
            countIf(elapsed_days = 180) as matured,
            sumIf(net_revenue_180, elapsed_days = 180) as revenue_180,
            countIf(elapsed_days = 180 and has_repurchased_180) as repurchased_180,
            sum(net_revenue) as revenue_to_date,
            countIf(has_repurchased) as repurchased,
            sum(elapsed_days) as elapsed
        from (select *, toInt32(least(greatest(as_of_on - entered_on, 0), 180)) as elapsed_days from product_entries)
        where store_no = store and product_no = product
        group by month_on
        order by month_on desc
        limit 12
    )

select
    'entryCohort' as "block",
    block_reason(store_as_of, {now:DateTime('UTC')}, month_on > toDate(0), 'no_entry_customers') as "reason",
    block_state("reason") as "state",
    instant_text(store_as_of) as "asOf",
    'source_window' as "periodApplied.basis",
    min(month_on) over () as "window.from",
    least(toLastDayOfMonth(max(month_on) over ()), greatest({today:Date}, max(last_entered_on) over ())) as "window.to",
    true as "overlappingRows",
    12 as "cohortWindowMonths",
    month_on as "month",
    entered as "entryCustomers",
    matured as "matureEntryCustomers",
    money(per(revenue_180, matured)) as "ltv180",
    ratio(per(repurchased_180, matured)) as "repurchaseRate180",
    money(per(revenue_to_date, entered)) as "ltvToDate",
    ratio(per(repurchased, entered)) as "repurchaseRateToDate",
    money(per(elapsed, entered)) as "cohortElapsedDaysAverage"
from cohorts
order by month_on
