-- Consolidated indicators of a period, compared with the period before it.
-- Grain: one row. `previousPeriod` and `changes` are null without a period, and when the first day of the previous
-- period is before year 1.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D8] rounding, [D17], [D24], [D26], [D27], and [D25]: an LTV is to date; `changes` of `ltv` and
-- `retentionLtv` compare all customers acquired up to the end of the period with all acquired before its start; other
-- changes come from the unrounded figures.

with

lifetimes as (

    select sum(customers)::bigint as customers, sum(revenue) as revenue
    from daily_acquisitions

),

figures as (

    select
        profitability_figures.*,
        ltv(lifetimes.revenue, profitability_figures.margin_rate, lifetimes.customers) as ltv_lifetime,
        paybacks.months as payback,
        conversion_rates.conversion_rate
    from profitability_figures(period_windows()) as profitability_figures
    cross join lifetimes
    left join paybacks(period_windows(), null) as paybacks on paybacks.window_no = profitability_figures.window_no
    left join conversion_rates(period_windows()) as conversion_rates
        on conversion_rates.window_no = profitability_figures.window_no

),

-- Each figure under the name that clients read, exact and rounded.
-- Grain: one row per window.
indicators as (

    select
        window_no,
        first_on,
        last_on,
        as_money(revenue) as revenue,
        as_money(investment) as investment,
        as_count(orders) as orders,
        as_count(new_customers) as "newCustomers",
        as_count(recurring_customers) as "recurringCustomers",
        as_count(customers) as customers,
        as_count(recurring_orders) as "recurringOrders",
        as_average(average_ticket) as "averageTicket",
        as_money(contribution) as contribution,
        as_money(contribution_profit) as "contributionProfit",
        as_average(cpv) as cpv,
        as_average(cpr) as cpr,
        as_average(cac) as cac,
        as_average(ltv) as ltv,
        as_average(ltv_lifetime) as "ltvLifetime",
        as_average(retention_ltv) as "retentionLtv",
        as_ratio(ltv_cac_ratio) as "ltvCacRatio",
        as_ratio(roi) as roi,
        as_average(clv) as clv,
        as_months(payback) as payback,
        as_percentage(conversion_rate) as "conversionRate",
        as_average(campaign_cac) as "campaignCac",
        as_money(acquisition_investment) as "acquisitionInvestment",
        as_count(acquisition_new_customers) as "acquisitionNewCustomers",
        as_average(acquisition_cac) as "acquisitionCac",
        as_money(acquisition_contribution) as "acquisitionContribution",
        as_average(acquisition_ltv) as "acquisitionLtv",
        as_ratio(acquisition_ltv_cac_ratio) as "acquisitionLtvCacRatio",
        as_ratio(acquisition_roi) as "acquisitionRoi",
        as_money(brand_investment) as "brandInvestment",
        as_rounded_count(brand_impressions) as "brandImpressions",
        as_count(brand_new_customers) as "brandNewCustomers",
        as_money(brand_contribution) as "brandContribution",
        as_ratio(brand_roi) as "brandRoi",
        as_money(monetization_investment) as "monetizationInvestment",
        as_money(monetization_contribution) as "monetizationContribution",
        as_ratio(monetization_roi) as "monetizationRoi",
        as_count(monetization_recurring_customers) as "monetizationRecurringCustomers",
        as_average(monetization_cpr) as "monetizationCpr",
        as_money(unclassified_investment) as "unclassifiedInvestment",
        as_label(has_acquisition_classification) as "hasAcquisitionClassification",
        as_money(cogs) as cogs,
        as_money(revenue_with_cost) as "revenueWithCmv",
        as_money(revenue_without_cost) as "revenueWithoutCmv",
        as_label(margin_basis) as "marginBasis",
        as_money(blended_contribution) as "blendedContribution"
    from figures

),

-- All customers acquired before the period, and all acquired by its end.
bases as (

    select
        sum(customers) filter (where first_on < period_start()) as customers_before,
        sum(revenue) filter (where first_on < period_start()) as revenue_before,
        sum(retention_revenue) filter (where first_on < period_start()) as retention_revenue_before,
        sum(customers) filter (where first_on <= period_end()) as customers_by_end,
        sum(revenue) filter (where first_on <= period_end()) as revenue_by_end,
        sum(retention_revenue) filter (where first_on <= period_end()) as retention_revenue_by_end
    from daily_acquisitions

),

base_ltvs as (

    select
        ltv(revenue_before, margin_rate, customers_before) as ltv_before,
        ltv(retention_revenue_before, margin_rate, customers_before) as retention_ltv_before,
        ltv(revenue_by_end, margin_rate, customers_by_end) as ltv_by_end,
        ltv(retention_revenue_by_end, margin_rate, customers_by_end) as retention_ltv_by_end
    from bases
    cross join margin

),

-- The figures that are compared: their LTVs are those of all customers acquired by the end of the window.
compared as (

    select
        indicators.* replace (
            as_average(case when window_no = 1 then ltv_by_end else ltv_before end) as ltv,
            as_average(case when window_no = 1 then retention_ltv_by_end else retention_ltv_before end) as "retentionLtv"
        )
    from indicators
    cross join base_ltvs

),

current_period as (

    select struct_extract(columns(* exclude (window_no, first_on, last_on)), 'rounded')
    from indicators
    where window_no = 1

),

previous_period as (

    select
        {startDate: first_on, endDate: last_on} as period,
        struct_extract(columns(* exclude (window_no, first_on, last_on)), 'rounded')
    from compared
    where window_no = 2

),

-- From the exact figures; the margin is the same in every period.
changes as (

    select
        percentage(change(
            struct_extract(columns(figures.* exclude (window_no)), 'exact'),
            lag(struct_extract(columns(figures.* exclude (window_no)), 'exact')) over (order by window_no desc)
        )),
        0.0::double as margin
    from (select * exclude (first_on, last_on, "hasAcquisitionClassification", "marginBasis") from compared) as figures
    qualify window_no = 1

)

select
    current_period.*,
    case when previous_period.period."startDate" >= date '0001-01-01' then previous_period end as "previousPeriod",
    case when previous_period.period."startDate" >= date '0001-01-01' then changes end as changes
from current_period
cross join previous_period
cross join changes
