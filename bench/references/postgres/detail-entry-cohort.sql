-- The customers who entered through a product, by the month of that order: the last twelve with any.

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

entries as (

    select
        product_entries.*,
        date_trunc('month', entered_on)::date as month_on,
        least(greatest(product.as_of_on - entered_on, 0), 180) as elapsed_days
    from product_entries
    cross join product
    where product_entries.product_no = (select product_no from product)

),

cohorts as (

    select
        month_on,
        max(entered_on) as last_entered_on,
        count(*) as customers,
        count(*) filter (where elapsed_days = 180) as mature_customers,
        sum(net_revenue_180) filter (where elapsed_days = 180) as revenue_180,
        count(*) filter (where elapsed_days = 180 and has_repurchased_180) as repurchased_180,
        sum(net_revenue) as revenue,
        count(*) filter (where has_repurchased) as repurchased,
        sum(elapsed_days) as elapsed_days
    from entries
    group by month_on
    order by month_on desc
    limit 12

),

base as (

    select
        count(*) as months,
        min(month_on) as first_on,
        least(
            (date_trunc('month', max(month_on)) + interval '1 month - 1 day')::date,
            greatest($today::date, max(last_entered_on))
        ) as last_on
    from cohorts

)

select
    'entryCohort' as block,
    block_state(block_reason(product.last_landed_at, $now::timestamp, base.months > 0, 'no_entry_customers')) as state,
    block_reason(product.last_landed_at, $now::timestamp, base.months > 0, 'no_entry_customers') as reason,
    instant_text(product.last_landed_at) as "asOf",
    'source_window' as "periodApplied.basis",
    base.first_on as "window.from",
    base.last_on as "window.to",
    true as "overlappingRows",
    12 as "cohortWindowMonths",
    month_on as "month",
    customers as "entryCustomers",
    mature_customers as "matureEntryCustomers",
    amount(revenue_180 / nullif(mature_customers, 0)) as ltv180,
    ratio(repurchased_180::numeric / nullif(mature_customers, 0)) as "repurchaseRate180",
    amount(revenue / nullif(customers, 0)) as "ltvToDate",
    ratio(repurchased::numeric / nullif(customers, 0)) as "repurchaseRateToDate",
    amount(elapsed_days::numeric / nullif(customers, 0)) as "cohortElapsedDaysAverage"
from product
cross join base
left join cohorts on true
order by month_on
