-- The channels add up to the whole [D86]: what is counted of orders and of new customers, their cohorts and points. Each amount is
-- rounded, by half a cent at most. Returning customers overlap and are not checked.

with

cards as (

    select 'whole' as filter, * from profitability_cards
    union all by name
    select * from profitability_cards_of_channels

),

trends as (

    select 'whole' as filter, * from profitability_trend
    union all by name
    select * from profitability_trend_of_channels

),

cohorts as (

    select 'whole' as filter, * from profitability_cohort
    union all by name
    select * from profitability_cohort_of_channels

),

figures as (

    select filter, 'cards' as answer, null::date as "date", unnest(map_entries(cells)) as cell
    from (
        select
            filter,
            {
                revenue: revenue,
                orders: orders,
                newCustomers: "newCustomers",
                recurringOrders: "recurringOrders",
                contribution: contribution,
                cogs: cogs,
                revenueWithCmv: "revenueWithCmv",
                blendedContribution: "blendedContribution",
                acquisitionNewCustomers: "acquisitionNewCustomers",
                acquisitionContribution: "acquisitionContribution",
                brandNewCustomers: "brandNewCustomers",
                brandContribution: "brandContribution",
                monetizationContribution: "monetizationContribution",
                investment: investment
            }::map(varchar, double) as cells
        from cards
    )

    union all

    select filter, 'trend', "date", unnest(map_entries(cells))
    from (
        select filter, "date", {revenue: revenue, orders: orders, newCustomers: "newCustomers"}::map(varchar, double) as cells
        from trends
    )

    union all

    select filter, 'cohort', "cohortMonth", unnest(map_entries(cells))
    from (
        select
            filter,
            "cohortMonth",
            {
                customers: "firstPurchaseCustomers",
                back: "repurchaseCustomers",
                revenue: "totalRevenue",
                direct: "directRevenue"
            }::map(varchar, double) as cells
        from cohorts
    )

),

sums as (

    select
        answer,
        "date",
        cell.key as figure,
        coalesce(sum(cell.value::decimal(18, 2)) filter (where filter = 'whole'), 0) as whole,
        coalesce(sum(cell.value::decimal(18, 2)) filter (where filter <> 'whole'), 0) as parts,
        -- The spend of a store may be unknown.
        bool_or(cell.value is null) as is_unknown,
        count(*) as rows
    from figures
    group by all

)

select answer, "date", figure, whole, parts
from sums
where abs(whole - parts) > 0.005 * rows
    and not is_unknown
    and exists (from profitability_cards_of_channels)
