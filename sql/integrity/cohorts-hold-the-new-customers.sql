-- Monthly cohorts contain the new customers of those months, and cell 0 contains all of them: every new customer has
-- bought [D30].

with

cohorts as (

    select
        "cohortMonth" as month_on,
        sum("firstPurchaseCustomers") as customers,
        sum(case when cohort_view() = 'logo' then months['0'].absolute else months['0'].complementary end) as in_cell_0
    from profitability_cohort
    where group_by() = 'month'
    group by all

)

select evolution."month", evolution."newCustomers", cohorts.customers, cohorts.in_cell_0
from profitability_metrics_evolution as evolution
full join cohorts on cohorts.month_on = evolution."month"
where group_by() = 'month'
    and (
        evolution."newCustomers" is distinct from coalesce(cohorts.customers, 0)
        or coalesce(cohorts.customers, 0) <> coalesce(cohorts.in_cell_0, 0)
    )
