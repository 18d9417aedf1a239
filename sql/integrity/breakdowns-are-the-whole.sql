-- Broken down by attributes of the first order, the rows of a cohort add up to the cohort: every customer is in one of them. Products,
-- categories and brands overlap and are not checked. A row's revenue is rounded, by half a cent at most. Where rows have spend, they have
-- not more than the cohort, unless a row is negative; that of a store may be unknown, and that of no row is not in the sum [D30], [D87].

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

spent as (

    select date_trunc(group_by(), spent_on)::date as cohort_on, sum(spend) as investment, min(spend) as least
    from media_spend
    where spent_on between coalesce(period_start(), '-infinity'::date) and coalesce(period_end(), 'infinity'::date)
    group by all

),

parts as (

    select
        "cohortMonth" as cohort_on,
        count(*) as rows,
        sum("firstPurchaseCustomers") as customers,
        sum("totalRevenue"::decimal(18, 2)) as revenue,
        sum(investment::decimal(18, 2)) as investment
    from profitability_cohort
    group by all

)

select cohort_on, whole.customers, parts.customers, whole.revenue, parts.revenue, spent.investment, parts.investment
from whole
full join parts using (cohort_on)
left join spent using (cohort_on)
where not is_broken_by_lines()
    and (
        whole.customers is distinct from parts.customers
        or abs(whole.revenue - parts.revenue) > 0.005 * parts.rows
        or parts.investment > coalesce(spent.investment, 0) + 0.005 * parts.rows and coalesce(spent.least, 0) >= 0
    )
