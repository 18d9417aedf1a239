-- Consolidated indicators of a period, compared with the period before it.
-- Grain: one row. `previousPeriod` and `changes` are null without a period, and when the first day of the previous
-- period is before year 1.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D8] rounding, [D17], [D24], [D26], [D27], and [D25]: an LTV is to date; `changes` of `ltv` and
-- `retentionLtv` compare all customers acquired up to the end of the period with all acquired before its start; other
-- changes come from the unrounded figures.

with

-- All customers, those acquired before the period, and those acquired by its end.
bases as (

    select
        sum(customers) filter (where first_on < period_start()) as customers_before,
        sum(revenue) filter (where first_on < period_start()) as revenue_before,
        sum(retention_revenue) filter (where first_on < period_start()) as retention_revenue_before,
        sum(customers) filter (where first_on <= period_end()) as customers_by_end,
        sum(revenue) filter (where first_on <= period_end()) as revenue_by_end,
        sum(retention_revenue) filter (where first_on <= period_end()) as retention_revenue_by_end,
        sum(customers)::bigint as customers,
        sum(revenue) as revenue
    from daily_acquisitions

),

base_ltvs as (

    select
        ltv(revenue_before, margin_rate, customers_before) as ltv_before,
        ltv(retention_revenue_before, margin_rate, customers_before) as retention_ltv_before,
        ltv(revenue_by_end, margin_rate, customers_by_end) as ltv_by_end,
        ltv(retention_revenue_by_end, margin_rate, customers_by_end) as retention_ltv_by_end,
        ltv(revenue, margin_rate, customers) as ltv_lifetime
    from bases
    cross join margin

),

figures as (

    select
        profitability_figures.*,
        base_ltvs.ltv_lifetime,
        paybacks.months as payback,
        conversion_rates.conversion_rate
    from profitability_figures(period_windows()) as profitability_figures
    cross join base_ltvs
    left join paybacks(period_windows(), null) as paybacks on paybacks.window_no = profitability_figures.window_no
    left join conversion_rates(period_windows()) as conversion_rates
        on conversion_rates.window_no = profitability_figures.window_no

),

-- The exact figures under the names of the answer.
-- Grain: one row per window.
named as (

    select
        window_no,
        first_on,
        last_on,
        revenue,
        investment,
        orders,
        new_customers as "newCustomers",
        recurring_customers as "recurringCustomers",
        customers,
        recurring_orders as "recurringOrders",
        average_ticket as "averageTicket",
        contribution,
        contribution_profit as "contributionProfit",
        cpv,
        cpr,
        cac,
        ltv,
        ltv_lifetime as "ltvLifetime",
        retention_ltv as "retentionLtv",
        ltv_cac_ratio as "ltvCacRatio",
        roi,
        clv,
        payback,
        conversion_rate as "conversionRate",
        campaign_cac as "campaignCac",
        acquisition_investment as "acquisitionInvestment",
        acquisition_new_customers as "acquisitionNewCustomers",
        acquisition_cac as "acquisitionCac",
        acquisition_contribution as "acquisitionContribution",
        acquisition_ltv as "acquisitionLtv",
        acquisition_ltv_cac_ratio as "acquisitionLtvCacRatio",
        acquisition_roi as "acquisitionRoi",
        brand_investment as "brandInvestment",
        brand_impressions as "brandImpressions",
        brand_new_customers as "brandNewCustomers",
        brand_contribution as "brandContribution",
        brand_roi as "brandRoi",
        monetization_investment as "monetizationInvestment",
        monetization_contribution as "monetizationContribution",
        monetization_roi as "monetizationRoi",
        monetization_recurring_customers as "monetizationRecurringCustomers",
        monetization_cpr as "monetizationCpr",
        unclassified_investment as "unclassifiedInvestment",
        has_acquisition_classification as "hasAcquisitionClassification",
        cogs,
        revenue_with_cost as "revenueWithCmv",
        revenue_without_cost as "revenueWithoutCmv",
        margin_basis as "marginBasis",
        blended_contribution as "blendedContribution"
    from figures

),

-- The same figures, rounded.
indicators as (

    select * replace (
        money(revenue) as revenue,
        money(investment) as investment,
        average("averageTicket") as "averageTicket",
        money(contribution) as contribution,
        money("contributionProfit") as "contributionProfit",
        average(cpv) as cpv,
        average(cpr) as cpr,
        average(cac) as cac,
        average(ltv) as ltv,
        average("ltvLifetime") as "ltvLifetime",
        average("retentionLtv") as "retentionLtv",
        ratio("ltvCacRatio") as "ltvCacRatio",
        ratio(roi) as roi,
        average(clv) as clv,
        months(payback) as payback,
        percentage("conversionRate") as "conversionRate",
        average("campaignCac") as "campaignCac",
        money("acquisitionInvestment") as "acquisitionInvestment",
        average("acquisitionCac") as "acquisitionCac",
        money("acquisitionContribution") as "acquisitionContribution",
        average("acquisitionLtv") as "acquisitionLtv",
        ratio("acquisitionLtvCacRatio") as "acquisitionLtvCacRatio",
        ratio("acquisitionRoi") as "acquisitionRoi",
        money("brandInvestment") as "brandInvestment",
        rounded_count("brandImpressions") as "brandImpressions",
        money("brandContribution") as "brandContribution",
        ratio("brandRoi") as "brandRoi",
        money("monetizationInvestment") as "monetizationInvestment",
        money("monetizationContribution") as "monetizationContribution",
        ratio("monetizationRoi") as "monetizationRoi",
        average("monetizationCpr") as "monetizationCpr",
        money("unclassifiedInvestment") as "unclassifiedInvestment",
        money(cogs) as cogs,
        money("revenueWithCmv") as "revenueWithCmv",
        money("revenueWithoutCmv") as "revenueWithoutCmv",
        money("blendedContribution") as "blendedContribution"
    )
    from named

),

-- The figures that are compared: their LTVs are those of all customers acquired by the end of the window.
compared as (

    select
        named.* exclude (first_on, last_on, "hasAcquisitionClassification", "marginBasis") replace (
            case when window_no = 1 then ltv_by_end else ltv_before end as ltv,
            case when window_no = 1 then retention_ltv_by_end else retention_ltv_before end as "retentionLtv"
        )
    from named
    cross join base_ltvs

),

current_period as (

    select * exclude (window_no, first_on, last_on)
    from indicators
    where window_no = 1

),

previous_period as (

    select
        {startDate: indicators.first_on, endDate: indicators.last_on} as period,
        indicators.* exclude (window_no, first_on, last_on) replace (
            average(base_ltvs.ltv_before) as ltv,
            average(base_ltvs.retention_ltv_before) as "retentionLtv"
        )
    from indicators
    cross join base_ltvs
    where indicators.window_no = 2

),

-- From the exact figures; the margin is the same in every period.
changes as (

    select
        percentage(change(
            arg_min_null(columns(* exclude (window_no)), window_no),
            arg_max_null(columns(* exclude (window_no)), window_no)
        )),
        0.0::double as margin
    from compared

)

select
    current_period.*,
    case when previous_period.period."startDate" >= date '0001-01-01' then previous_period end as "previousPeriod",
    case when previous_period.period."startDate" >= date '0001-01-01' then changes end as changes
from current_period
cross join previous_period
cross join changes
