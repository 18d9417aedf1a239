-- A payback curve has the customers of its cohort, ends with the cohort's margin to date, and has a point for every month up
-- to that of the horizon, all complete before that one [D52]. The average is of the customers of the complete points. Amounts
-- are rounded, by half a cent at most.

with

rows_of_curves as (

    select
        *,
        date_diff('month', curves."cohortMonth", organization.horizon_on) + 1 as months,
        case when organization.horizon_on = last_day(organization.horizon_on) then months else months - 1 end as complete_months
    from profitability_payback as curves
    cross join organization
    where not is_broken_by_lines()

),

cohorts as (

    select
        "cohortMonth",
        "breakKey",
        sum("firstPurchaseCustomers") as customers,
        sum("totalMargin") as margin,
        sum("investment") as investment,
        count(*) as parts
    from profitability_cohort
    where group_by() = 'month' and not is_broken_by_lines()
    group by all

),

-- One campaign id in two networks is two rows.
curves as (

    select
        "cohortMonth",
        "breakKey",
        sum(customers) as customers,
        sum(points[-1].contribution) as margin,
        sum(investment) as investment
    from rows_of_curves
    where group_by() = 'month'
    group by all

),

of_average as (

    select point.month, sum(customers) as customers
    from (select customers, unnest(points) as point from rows_of_curves)
    where point.complete
    group by point.month

)

select
    coalesce(curves."cohortMonth", cohorts."cohortMonth") as "cohortMonth",
    coalesce(curves."breakKey", cohorts."breakKey") as "breakKey",
    'is another cohort' as problem
from curves
full join cohorts
    on cohorts."cohortMonth" = curves."cohortMonth" and cohorts."breakKey" is not distinct from curves."breakKey"
where curves.customers is distinct from cohorts.customers
    or abs(curves.margin - cohorts.margin) > 0.01 * cohorts.parts + 1e-6
    or abs(curves.investment - cohorts.investment) > 0.01 * cohorts.parts + 1e-6
    or (curves.investment is null) <> (cohorts.investment is null)

union all

select "cohortMonth", "breakKey", 'lacks a point, or calls one complete that is not'
from rows_of_curves
where list_transform(points, lambda point: point.month) <> generate_series(0, months - 1)
    or len(list_filter(points, lambda point: point.complete)) <> complete_months
    or ("paybackMonths" is not null and not points["paybackMonths" + 1].contribution >= investment - 0.01)
    or (state = 'paid_back') <> ("paybackMonths" is not null)

union all

select null, average.month::varchar, 'is the average of other customers'
from profitability_payback_average as average
full join of_average using (month)
where not is_broken_by_lines()
    and (
        average.customers is distinct from of_average.customers
        or average.lower > average."perCustomer"
        or average.upper < average."perCustomer"
        or (average.lower is null) <> (average.customers < 2)
    )
