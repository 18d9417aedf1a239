-- The indicators month by month; they add up to the cards of the same period [D29].
-- Grain: one row per month, cut to the period; months without data are zeros.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D8], [D17], [D25].

with

month_windows as (

    select date_diff('day', date '1900-01-01', first_on) as window_no, first_on, last_on
    from covered_steps('month')

),

figures as (

    from day_figures('month_windows')

)

select
    date_trunc('month', first_on)::date as "month",
    money(revenue) as "totalRevenue",
    orders as "totalOrders",
    money(investment) as "totalInvestment",
    new_customers as "newCustomers",
    average(cac) as cac,
    average(ltv) as ltv,
    average(cpv) as cpv,
    ratio(ltv_cac_ratio) as "ltvCacRatio",
    money(cogs) as cogs,
    money(revenue_with_cost) as "revenueWithCmv",
    money(revenue_without_cost) as "revenueWithoutCmv",
    margin_basis as "marginBasis",
    money(blended_contribution) as "blendedContribution"
from figures
order by first_on
