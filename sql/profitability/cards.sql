-- Consolidated indicators of a period, beside those of the period before it.
-- Grain: one row. `previousPeriod` and `changes` are null without a period, and where no date of four digits names the
-- first day of the period before.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D8] rounding, [D17], [D24], [D26], [D27], and [D25]: an LTV is to date; `changes` of `ltv` and
-- `retentionLtv` compare everyone won up to the end of the period with everyone won before its start; other changes
-- come from the unrounded figures.

with

lifetimes as (

    select sum(customers)::bigint as customers, sum(revenue) as revenue
    from customer_days

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

-- Under the names that clients read, rounded.
-- Grain: one row per window.
indicators as (

    select
        window_no,
        first_on,
        last_on,
        money(revenue) as revenue,
        money(investment) as investment,
        orders,
        new_customers as "newCustomers",
        recurring_customers as "recurringCustomers",
        customers,
        recurring_orders as "recurringOrders",
        average(average_ticket) as "averageTicket",
        money(contribution) as contribution,
        money(contribution_profit) as "contributionProfit",
        average(cpv) as cpv,
        average(cpr) as cpr,
        average(cac) as cac,
        average(ltv) as ltv,
        average(ltv_lifetime) as "ltvLifetime",
        average(retention_ltv) as "retentionLtv",
        ratio(ltv_cac_ratio) as "ltvCacRatio",
        ratio(roi) as roi,
        average(clv) as clv,
        months(payback) as payback,
        percentage(conversion_rate) as "conversionRate",
        average(campaign_cac) as "campaignCac",
        money(acquisition_investment) as "acquisitionInvestment",
        acquisition_new_customers as "acquisitionNewCustomers",
        average(acquisition_cac) as "acquisitionCac",
        money(acquisition_contribution) as "acquisitionContribution",
        average(acquisition_ltv) as "acquisitionLtv",
        ratio(acquisition_ltv_cac_ratio) as "acquisitionLtvCacRatio",
        ratio(acquisition_roi) as "acquisitionRoi",
        money(brand_investment) as "brandInvestment",
        whole(brand_impressions) as "brandImpressions",
        brand_new_customers as "brandNewCustomers",
        money(brand_contribution) as "brandContribution",
        ratio(brand_roi) as "brandRoi",
        money(monetization_investment) as "monetizationInvestment",
        money(monetization_contribution) as "monetizationContribution",
        ratio(monetization_roi) as "monetizationRoi",
        monetization_recurring_customers as "monetizationRecurringCustomers",
        average(monetization_cpr) as "monetizationCpr",
        money(unclassified_investment) as "unclassifiedInvestment",
        has_acquisition_classification as "hasAcquisitionClassification",
        money(cogs) as cogs,
        money(revenue_with_cost) as "revenueWithCmv",
        money(revenue_without_cost) as "revenueWithoutCmv",
        margin_basis as "marginBasis",
        money(blended_contribution) as "blendedContribution"
    from figures

),

-- Everyone won before the period, and everyone won by its end.
bases as (

    select
        sum(customers) filter (where first_on < period_start()) as customers_before,
        sum(revenue) filter (where first_on < period_start()) as revenue_before,
        sum(retention_revenue) filter (where first_on < period_start()) as retention_revenue_before,
        sum(customers) filter (where first_on <= period_end()) as customers_by_end,
        sum(revenue) filter (where first_on <= period_end()) as revenue_by_end,
        sum(retention_revenue) filter (where first_on <= period_end()) as retention_revenue_by_end
    from customer_days

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

-- From the unrounded figures; the margin is the same in every period.
changes as (

    select
        percentage(change(current_period.revenue, previous_period.revenue)) as revenue,
        percentage(change(current_period.investment, previous_period.investment)) as investment,
        percentage(change(current_period.orders, previous_period.orders)) as orders,
        percentage(change(current_period.new_customers, previous_period.new_customers)) as "newCustomers",
        percentage(change(current_period.recurring_customers, previous_period.recurring_customers)) as "recurringCustomers",
        percentage(change(current_period.customers, previous_period.customers)) as customers,
        percentage(change(current_period.recurring_orders, previous_period.recurring_orders)) as "recurringOrders",
        percentage(change(current_period.average_ticket, previous_period.average_ticket)) as "averageTicket",
        percentage(change(current_period.contribution, previous_period.contribution)) as contribution,
        percentage(change(current_period.contribution_profit, previous_period.contribution_profit)) as "contributionProfit",
        percentage(change(current_period.cpv, previous_period.cpv)) as cpv,
        percentage(change(current_period.cpr, previous_period.cpr)) as cpr,
        percentage(change(current_period.cac, previous_period.cac)) as cac,
        percentage(change(base_ltvs.ltv_by_end, base_ltvs.ltv_before)) as ltv,
        percentage(change(current_period.ltv_lifetime, previous_period.ltv_lifetime)) as "ltvLifetime",
        percentage(change(base_ltvs.retention_ltv_by_end, base_ltvs.retention_ltv_before)) as "retentionLtv",
        percentage(change(current_period.ltv_cac_ratio, previous_period.ltv_cac_ratio)) as "ltvCacRatio",
        percentage(change(current_period.roi, previous_period.roi)) as roi,
        percentage(change(current_period.clv, previous_period.clv)) as clv,
        percentage(change(current_period.payback, previous_period.payback)) as payback,
        percentage(change(current_period.conversion_rate, previous_period.conversion_rate)) as "conversionRate",
        percentage(change(current_period.campaign_cac, previous_period.campaign_cac)) as "campaignCac",
        percentage(
            change(current_period.acquisition_investment, previous_period.acquisition_investment)
        ) as "acquisitionInvestment",
        percentage(
            change(current_period.acquisition_new_customers, previous_period.acquisition_new_customers)
        ) as "acquisitionNewCustomers",
        percentage(change(current_period.acquisition_cac, previous_period.acquisition_cac)) as "acquisitionCac",
        percentage(
            change(current_period.acquisition_contribution, previous_period.acquisition_contribution)
        ) as "acquisitionContribution",
        percentage(change(current_period.acquisition_ltv, previous_period.acquisition_ltv)) as "acquisitionLtv",
        percentage(
            change(current_period.acquisition_ltv_cac_ratio, previous_period.acquisition_ltv_cac_ratio)
        ) as "acquisitionLtvCacRatio",
        percentage(change(current_period.acquisition_roi, previous_period.acquisition_roi)) as "acquisitionRoi",
        percentage(change(current_period.brand_investment, previous_period.brand_investment)) as "brandInvestment",
        percentage(change(current_period.brand_impressions, previous_period.brand_impressions)) as "brandImpressions",
        percentage(change(current_period.brand_new_customers, previous_period.brand_new_customers)) as "brandNewCustomers",
        percentage(change(current_period.brand_contribution, previous_period.brand_contribution)) as "brandContribution",
        percentage(change(current_period.brand_roi, previous_period.brand_roi)) as "brandRoi",
        percentage(
            change(current_period.monetization_investment, previous_period.monetization_investment)
        ) as "monetizationInvestment",
        percentage(
            change(current_period.monetization_contribution, previous_period.monetization_contribution)
        ) as "monetizationContribution",
        percentage(change(current_period.monetization_roi, previous_period.monetization_roi)) as "monetizationRoi",
        percentage(
            change(current_period.monetization_recurring_customers, previous_period.monetization_recurring_customers)
        ) as "monetizationRecurringCustomers",
        percentage(change(current_period.monetization_cpr, previous_period.monetization_cpr)) as "monetizationCpr",
        percentage(
            change(current_period.unclassified_investment, previous_period.unclassified_investment)
        ) as "unclassifiedInvestment",
        percentage(change(current_period.cogs, previous_period.cogs)) as cogs,
        percentage(change(current_period.revenue_with_cost, previous_period.revenue_with_cost)) as "revenueWithCmv",
        percentage(change(current_period.revenue_without_cost, previous_period.revenue_without_cost)) as "revenueWithoutCmv",
        percentage(change(current_period.blended_contribution, previous_period.blended_contribution)) as "blendedContribution",
        0.0::double as margin
    from figures as current_period
    cross join figures as previous_period
    cross join base_ltvs
    where current_period.window_no = 1
        and previous_period.window_no = 2

)

select
    current_period.*,
    case when previous_period.period."startDate" >= date '0001-01-01' then previous_period end as "previousPeriod",
    case when previous_period.period."startDate" >= date '0001-01-01' then changes end as changes
from current_period
cross join previous_period
cross join changes
