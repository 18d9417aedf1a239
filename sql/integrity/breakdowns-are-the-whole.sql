-- Broken down by an attribute of the first order, the rows of a cohort add up to the cohort: every customer is in one of
-- them. Products and categories overlap and are not checked. A row's revenue is rounded, by half a cent at most.

with

whole as (

    select
        date_trunc(group_by(), first_on)::date as cohort_on,
        count(*) as customers,
        sum(revenue) as revenue
    from customers
    where first_on between coalesce(period_start(), '-infinity'::date) and coalesce(period_end(), 'infinity'::date)
    group by all

),

parts as (

    select
        "cohortMonth" as cohort_on,
        count(*) as rows,
        sum("firstPurchaseCustomers") as customers,
        sum("totalRevenue"::decimal(18, 2)) as revenue
    from profitability_cohort
    group by all

)

select cohort_on, whole.customers, parts.customers, whole.revenue, parts.revenue
from whole
full join parts using (cohort_on)
where coalesce(break_by(), 'origem') not in ('produto', 'categoria')
    and (whole.customers is distinct from parts.customers or abs(whole.revenue - parts.revenue) > 0.005 * parts.rows)
