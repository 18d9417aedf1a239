-- The customers who entered through a product, by the month of that order: the last twelve with any.

with

{{product}},

cohorts as (

    select month_of(entered_on) as month_on, max(entered_on) as last_entered_on, {{cohort_sums}}
    from (
        select *, {{elapsed_days}}
        from product_entries
        where {{of_product}}
    ) as entries
    group by month_on
    order by month_on desc
    limit 12

)

select
    {{block: entryCohort | customers > 0 | no_entry_customers}},
    'source_window' as "periodApplied.basis",
    min(month_on) over () as "window.from",
    least(months_after(max(month_on) over (), 1) - 1, greatest($today, max(last_entered_on) over ())) as "window.to",
    true as "overlappingRows",
    12 as "cohortWindowMonths",
    month_on as "month",
    {{cohort_figures: }}
from cohorts
order by month_on
