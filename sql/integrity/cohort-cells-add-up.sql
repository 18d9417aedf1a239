-- A cohort's cells add up to its revenue to date and reach without a gap from step 0 to the step of the horizon [D7];
-- revenue after the first purchase is additional [D30]. Each amount is rounded, by half a cent at most; where an order
-- has a negative value, a part may exceed its whole.

with

rows_of_cells as (

    select
        *,
        map_values(months) as cells,
        case group_by()
            when 'week' then date_diff('day', "cohortMonth", organization.horizon_on) // 7
            else date_diff('month', "cohortMonth", date_trunc(group_by(), organization.horizon_on)::date) // step_months()
        end + 1 as steps
    from profitability_cohort
    cross join organization

),

sums as (

    select
        * exclude (months, cells),
        exists (from orders where revenue < 0) as has_negative_orders,
        cardinality(months) as cells,
        list_sum(list_transform(
            cells,
            lambda c: case when cohort_view() = 'logo' then c.complementary else c.absolute end
        )) as margin_of_cells,
        list_sum(list_transform(cells, lambda c: coalesce(c."repurchaseRevenue", 0))) as repurchases
    from rows_of_cells

)

select *
from sums
where abs(margin_of_cells - "totalMargin") > 0.005 * (cells + 1) + 1e-6
    or cells <> steps
    or abs("directRevenue" + "additionalRevenue" - "totalRevenue") > 0.015 + 1e-6
    or (
        not has_negative_orders
        and ("additionalRevenue" < 0 or repurchases > "additionalRevenue" + 0.005 * (cells + 1) + 1e-6)
    )
    or "repurchaseCustomers" > "firstPurchaseCustomers"
