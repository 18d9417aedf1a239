-- Consolidated indicators of a period, compared with another period: that before it, unless `compare` chooses another.
-- Grain: one row. `previousPeriod` and `changes` are null without a period, if there is none to compare with, and when
-- its first day is before year 1.
-- Parameters: start_date, end_date (inclusive; null for the whole history), compare (default 'previous'), integration_id and
-- channel (filters; both may be missing).
-- Follows [D8] rounding, [D17], [D24], [D26], [D27], [D50], and [D25]: an LTV is to date; `changes` of `ltv` and
-- `retentionLtv` compare all customers acquired up to the end of the period with all acquired up to the end of the one
-- that it is compared with; other changes come from the unrounded figures.

with

windows as materialized (from period_windows()),

-- Those acquired by the end of the period compared with, those acquired by the end of the period, and all customers.
bases as (

    select
        sum(new_customers) filter (where day_on <= before.last_on) as customers_before,
        sum(revenue_to_date) filter (where day_on <= before.last_on) as revenue_before,
        sum(retention_revenue) filter (where day_on <= before.last_on) as retention_revenue_before,
        sum(new_customers) filter (where day_on <= present.last_on) as customers_by_end,
        sum(revenue_to_date) filter (where day_on <= present.last_on) as revenue_by_end,
        sum(retention_revenue) filter (where day_on <= present.last_on) as retention_revenue_by_end,
        sum(new_customers) as customers,
        sum(revenue_to_date) as revenue
    from analysed_totals()
    cross join (from windows where window_no = 1) as present
    cross join (from windows where window_no = 2) as before

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

-- What is not a sum over days. Joined before the many figures that are.
-- Grain: one row per period.
further as (

    select
        windows.window_no,
        base_ltvs.*,
        organization.has_acquisition_classification,
        or_zero(order_figures.recurring_customers) as recurring_customers,
        or_zero(order_figures.acquisition_contribution) as acquisition_contribution,
        or_zero(order_figures.brand_contribution) as brand_contribution,
        or_zero(order_figures.monetization_recurring_customers) as monetization_recurring_customers,
        paybacks.months as payback
    from windows
    cross join base_ltvs
    cross join organization
    left join order_figures('windows') as order_figures on order_figures.window_no = windows.window_no
    left join total_paybacks('windows', 'all') as paybacks on paybacks.window_no = windows.window_no

),

figures as (

    select
        days.*,
        further.* exclude (window_no),
        days.new_customers + further.recurring_customers as customers,
        roi(further.acquisition_contribution, days.acquisition_investment) as acquisition_roi,
        roi(further.brand_contribution, days.brand_investment) as brand_roi
    from day_figures('windows') as days
    join further on further.window_no = days.window_no

),

-- Grain: one row per period.
periods as (

    select
        window_no,
        {startDate: first_on, endDate: last_on} as period,
        {
            revenue: money(revenue),
            investment: money(investment),
            orders: orders,
            newCustomers: new_customers,
            recurringCustomers: recurring_customers,
            customers: customers,
            recurringOrders: recurring_orders,
            averageTicket: average(average_ticket),
            contribution: money(contribution),
            contributionProfit: money(contribution_profit),
            cpv: average(cpv),
            cpr: average(cpr),
            cac: average(cac),
            ltv: average(case when window_no = 1 then ltv else ltv_before end),
            ltvLifetime: average(ltv_lifetime),
            retentionLtv: average(case when window_no = 1 then retention_ltv else retention_ltv_before end),
            ltvCacRatio: ratio(ltv_cac_ratio),
            roi: ratio(roi),
            clv: average(clv),
            payback: months(payback),
            conversionRate: percentage(conversion_rate),
            campaignCac: average(campaign_cac),
            acquisitionInvestment: money(acquisition_investment),
            acquisitionNewCustomers: acquisition_new_customers,
            acquisitionCac: average(acquisition_cac),
            acquisitionContribution: money(acquisition_contribution),
            acquisitionLtv: average(acquisition_ltv),
            acquisitionLtvCacRatio: ratio(acquisition_ltv_cac_ratio),
            acquisitionRoi: ratio(acquisition_roi),
            brandInvestment: money(brand_investment),
            brandImpressions: rounded_count(brand_impressions),
            brandNewCustomers: brand_new_customers,
            brandContribution: money(brand_contribution),
            brandRoi: ratio(brand_roi),
            monetizationInvestment: money(monetization_investment),
            monetizationContribution: money(monetization_contribution),
            monetizationRoi: ratio(monetization_roi),
            monetizationRecurringCustomers: monetization_recurring_customers,
            monetizationCpr: average(monetization_cpr),
            unclassifiedInvestment: money(unclassified_investment),
            hasAcquisitionClassification: has_acquisition_classification,
            cogs: money(cogs),
            revenueWithCmv: money(revenue_with_cost),
            revenueWithoutCmv: money(revenue_without_cost),
            marginBasis: margin_basis,
            blendedContribution: money(blended_contribution)
        } as indicators,
        -- What is compared: exact figures. Their LTVs are those of all customers acquired by the end of the period.
        {
            revenue: revenue,
            investment: investment,
            orders: orders,
            newCustomers: new_customers,
            recurringCustomers: recurring_customers,
            customers: customers,
            recurringOrders: recurring_orders,
            averageTicket: average_ticket,
            contribution: contribution,
            contributionProfit: contribution_profit,
            cpv: cpv,
            cpr: cpr,
            cac: cac,
            ltv: case when window_no = 1 then ltv_by_end else ltv_before end,
            ltvLifetime: ltv_lifetime,
            retentionLtv: case when window_no = 1 then retention_ltv_by_end else retention_ltv_before end,
            ltvCacRatio: ltv_cac_ratio,
            roi: roi,
            clv: clv,
            payback: payback,
            conversionRate: conversion_rate,
            campaignCac: campaign_cac,
            acquisitionInvestment: acquisition_investment,
            acquisitionNewCustomers: acquisition_new_customers,
            acquisitionCac: acquisition_cac,
            acquisitionContribution: acquisition_contribution,
            acquisitionLtv: acquisition_ltv,
            acquisitionLtvCacRatio: acquisition_ltv_cac_ratio,
            acquisitionRoi: acquisition_roi,
            brandInvestment: brand_investment,
            brandImpressions: brand_impressions,
            brandNewCustomers: brand_new_customers,
            brandContribution: brand_contribution,
            brandRoi: brand_roi,
            monetizationInvestment: monetization_investment,
            monetizationContribution: monetization_contribution,
            monetizationRoi: monetization_roi,
            monetizationRecurringCustomers: monetization_recurring_customers,
            monetizationCpr: monetization_cpr,
            unclassifiedInvestment: unclassified_investment,
            cogs: cogs,
            revenueWithCmv: revenue_with_cost,
            revenueWithoutCmv: revenue_without_cost,
            blendedContribution: blended_contribution
        }::map(varchar, double) as compared
    from figures

),

-- What the margin takes from the period's revenue, by item.
-- Decimals, so that what rounding leaves over is exact.
costs as (

    select
        settled(
            list_transform(item_percents, lambda percent: (revenue * percent::double / 100)::decimal(38, 12)),
            rounded_sum(revenue) - rounded_sum(contribution)
        ) as amounts
    from figures
    cross join margin
    where window_no = 1

)

select
    unnest(present.indicators),
    case
        when costs.amounts is not null then {
            gateway: costs.amounts[1]::double,
            tax: costs.amounts[2]::double,
            shipping: costs.amounts[3]::double,
            costOfGoods: costs.amounts[4]::double
        }
    end as "variableCosts",
    case
        when previous.period."startDate" >= date '0001-01-01'
            then struct_concat({period: previous.period}, previous.indicators)
    end as "previousPeriod",
    case
        when previous.period."startDate" >= date '0001-01-01'
            -- The margin is the same in every period.
            then map_concat(changes(present.compared, previous.compared), map {'margin': 0.0::double})
    end as changes
from periods as present
cross join periods as previous
cross join costs
where present.window_no = 1 and previous.window_no = 2
