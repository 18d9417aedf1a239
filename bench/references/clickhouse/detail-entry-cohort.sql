-- The customers who entered through a product, by the month of that order: the last twelve with any.

with
    (select store_no from stores where integration_id = {integration_id:String}) as store,
    (select product_no from products where store_no = store and product_id = {product_id:String}) as product,
    (select least({today:Date}, toDate(last_landed_at)) from stores where integration_id = {integration_id:String}) as as_of_on,

    cohorts as (
        select
            toStartOfMonth(entered_on) as month_on,
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
    'entryCohort' as block,
    month_on as "month",
    entered as "entryCustomers",
    matured as "matureEntryCustomers",
    money(per(revenue_180, matured)) as ltv180,
    ratio(per(repurchased_180, matured)) as "repurchaseRate180",
    money(per(revenue_to_date, entered)) as "ltvToDate",
    ratio(per(repurchased, entered)) as "repurchaseRateToDate",
    money(per(elapsed, entered)) as "cohortElapsedDaysAverage"
from cohorts
order by month_on
