-- Indicators of a period, of the period before it, and how they changed.
-- Days that can be added up are added up; the orders are read once for both periods.

with
    {start_date:Date} as first_day,
    {end_date:Date} as last_day,
    toDate(first_day - (last_day - first_day + 1)) as previous_first_day,
    (select margin_rate from organization) as margin,

    order_totals as (
        select
            ordered_on >= first_day as is_present,
            sum(orders) as order_count,
            sum(recurring_orders) as recurring_order_count,
            sum(revenue) as order_revenue,
            sum(cost) as cogs,
            sum(daily_orders.revenue_with_cost) as revenue_with_cost,
            sumIf(revenue, strategy = 'monetization') as monetization_revenue,
            sumIf(recurring_orders, strategy = 'monetization') as monetization_recurring_orders
        from daily_orders
        where ordered_on between previous_first_day and last_day
        group by is_present
    ),

    -- A customer's first order in the window is the one whose previous order is before the window.
    returning_totals as (
        select
            ordered_on >= first_day as is_present,
            if(ordered_on >= first_day, first_day, previous_first_day) as window_first_day,
            if(ordered_on >= first_day, last_day, first_day - 1) as window_last_day,
            countIf(previous_on > toDate(0) and previous_on < window_first_day) as recurring_customers,
            sumIf(revenue, first_strategy = 'acquisition' and first_on between window_first_day and window_last_day)
                as acquisition_revenue,
            sumIf(revenue, first_strategy = 'brand' and first_on between window_first_day and window_last_day) as brand_revenue,
            countIf(strategy = 'monetization' and is_recurring and previous_monetized_on < window_first_day)
                as monetization_recurring_customers
        from orders
        where ordered_on between previous_first_day and last_day
        group by is_present, window_first_day, window_last_day
    ),

    customer_totals as (
        select
            first_on >= first_day as is_present,
            sum(customers) as new_customers,
            sum(revenue) as revenue_to_date,
            sum(retention_revenue) as retained_revenue,
            sumIf(customers, strategy = 'acquisition') as acquisition_new_customers,
            sumIf(revenue, strategy = 'acquisition') as acquisition_revenue_to_date,
            sumIf(customers, strategy = 'brand') as brand_new_customers
        from daily_acquisitions
        where first_on between previous_first_day and last_day
        group by is_present
    ),

    spend_totals as (
        select
            spent_on >= first_day as is_present,
            sum(spend) as investment,
            sumIf(spend, strategy = 'acquisition') as acquisition_investment,
            sumIf(spend, strategy = 'brand') as brand_investment,
            sumIf(impressions, strategy = 'brand') as brand_impressions,
            sumIf(spend, strategy = 'monetization') as monetization_investment,
            sumIf(spend, strategy = '') as unclassified_investment
        from daily_spend
        where spent_on between previous_first_day and last_day
        group by is_present
    ),

    site_totals as (
        select happened_on >= first_day as is_present, 100 * per(sum(decision), sum(interest)) as conversion_rate
        from daily_site_events
        where happened_on between previous_first_day and last_day
        group by is_present
    ),

    -- All customers, those acquired before the period, and those acquired by its end.
    (
        select tuple(
            per(sum(revenue) * margin, sum(customers)),
            per(sumIf(revenue, first_on < first_day) * margin, sumIf(customers, first_on < first_day)),
            per(sumIf(retention_revenue, first_on < first_day) * margin, sumIf(customers, first_on < first_day)),
            per(sumIf(revenue, first_on <= last_day) * margin, sumIf(customers, first_on <= last_day)),
            per(sumIf(retention_revenue, first_on <= last_day) * margin, sumIf(customers, first_on <= last_day))
        )
        from daily_acquisitions
    ) as lifetimes,

    -- Months until the margin of the customers acquired in a month covers the spend of that month, weighted by customers.
    accumulated as (
        select
            is_present,
            first_month,
            month_no,
            sum(month_revenue) over (partition by is_present, first_month order by month_no) as revenue_so_far
        from (
            select first_on >= first_day as is_present, first_month, month_no, sum(revenue) as month_revenue
            from daily_cohorts
            where first_on between previous_first_day and last_day
            group by is_present, first_month, month_no
        )
    ),

    month_spend as (
        select spent_on >= first_day as is_present, spent_month as first_month, sum(spend) as spend_of_month
        from daily_spend
        where spent_on between previous_first_day and last_day
        group by is_present, first_month
    ),

    paid_back as (
        select is_present, first_month, min(month_no) as months
        from accumulated
        join month_spend using (is_present, first_month)
        where spend_of_month > 0 and revenue_so_far * margin >= spend_of_month
        group by is_present, first_month
    ),

    month_customers as (
        select first_on >= first_day as is_present, first_month, sum(customers) as acquired
        from daily_acquisitions
        where first_on between previous_first_day and last_day
        group by is_present, first_month
    ),

    paybacks as (
        select is_present, per(sum(months * acquired), sum(acquired)) as payback
        from paid_back
        join month_customers using (is_present, first_month)
        group by is_present
    ),

    windows as (
        select arrayJoin([1, 0]) as is_present, lifetimes.1 as ltv_lifetime, lifetimes.2 as ltv_before,
            lifetimes.3 as retention_ltv_before, lifetimes.4 as ltv_by_end, lifetimes.5 as retention_ltv_by_end
    ),

    figures as (
        select
            *,
            order_revenue as revenue,
            order_count as orders,
            recurring_order_count as recurring_orders,
            new_customers + recurring_customers as customers,
            ifNull(per(order_revenue, order_count), 0) as average_ticket,
            order_revenue * margin as contribution,
            order_revenue * margin - investment as contribution_profit,
            ifNull(per(investment, order_count), 0) as cpv,
            ifNull(per(investment, recurring_order_count), 0) as cpr,
            ifNull(per(investment, new_customers), 0) as cac,
            per(revenue_to_date * margin, new_customers) as ltv,
            per(retained_revenue * margin, new_customers) as retention_ltv,
            ifNull(per(revenue_to_date * margin, investment), 0) as ltv_cac_ratio,
            ifNull(per(order_revenue * margin - investment, investment), 0) as roi,
            per(revenue_to_date * margin - investment, new_customers) as clv,
            ifNull(per(acquisition_investment, new_customers), 0) as campaign_cac,
            per(acquisition_investment, acquisition_new_customers) as acquisition_cac,
            acquisition_revenue * margin as acquisition_contribution,
            per(acquisition_revenue_to_date * margin, acquisition_new_customers) as acquisition_ltv,
            if(acquisition_new_customers = 0, null, per(acquisition_revenue_to_date * margin, acquisition_investment))
                as acquisition_ltv_cac_ratio,
            per(acquisition_revenue * margin - acquisition_investment, acquisition_investment) as acquisition_roi,
            brand_revenue * margin as brand_contribution,
            per(brand_revenue * margin - brand_investment, brand_investment) as brand_roi,
            monetization_revenue * margin as monetization_contribution,
            per(monetization_revenue * margin - monetization_investment, monetization_investment) as monetization_roi,
            per(monetization_investment, monetization_recurring_orders) as monetization_cpr,
            order_revenue - revenue_with_cost as revenue_without_cost,
            (select has_acquisition_classification from organization) as has_acquisition_classification,
            multiIf(
                order_revenue = 0, 'no_basis',
                revenue_with_cost = order_revenue, 'cmv_real',
                revenue_with_cost <> 0, 'mixed',
                (select is_configured from organization), 'configured_percent',
                'no_basis'
            ) as margin_basis,
            revenue_with_cost - cogs + (order_revenue - revenue_with_cost) * margin as blended_contribution
        from windows
        left join order_totals using (is_present)
        left join returning_totals using (is_present)
        left join customer_totals using (is_present)
        left join spend_totals using (is_present)
        left join site_totals using (is_present)
        left join paybacks using (is_present)
    ),

    -- The figures as lists, in the order of the answer: a rounding that is written once is planned once. Of each the power
    -- of ten that it is rounded to.
    [
        100, 100, 1, 1, 1, 1, 1, 100, 100, 100, 100, 100, 100, 100, 100, 100, 10000, 10000, 100, 100, 100, 100, 100,
        1, 100, 100, 100, 10000, 10000, 100, 1, 1, 100, 10000, 100, 100, 10000, 1, 100, 100, 100, 100, 100, 100
    ] as scales,

    lists as (
        select
            is_present,
            has_acquisition_classification,
            margin_basis,
            [
                toFloat64(revenue),
                toFloat64(investment),
                toFloat64(orders),
                toFloat64(new_customers),
                toFloat64(recurring_customers),
                toFloat64(customers),
                toFloat64(recurring_orders),
                toFloat64(average_ticket),
                toFloat64(contribution),
                toFloat64(contribution_profit),
                toFloat64(cpv),
                toFloat64(cpr),
                toFloat64(cac),
                toFloat64(ltv),
                toFloat64(ltv_lifetime),
                toFloat64(retention_ltv),
                toFloat64(ltv_cac_ratio),
                toFloat64(roi),
                toFloat64(clv),
                toFloat64(payback),
                toFloat64(conversion_rate),
                toFloat64(campaign_cac),
                toFloat64(acquisition_investment),
                toFloat64(acquisition_new_customers),
                toFloat64(acquisition_cac),
                toFloat64(acquisition_contribution),
                toFloat64(acquisition_ltv),
                toFloat64(acquisition_ltv_cac_ratio),
                toFloat64(acquisition_roi),
                toFloat64(brand_investment),
                toFloat64(brand_impressions),
                toFloat64(brand_new_customers),
                toFloat64(brand_contribution),
                toFloat64(brand_roi),
                toFloat64(monetization_investment),
                toFloat64(monetization_contribution),
                toFloat64(monetization_roi),
                toFloat64(monetization_recurring_customers),
                toFloat64(monetization_cpr),
                toFloat64(unclassified_investment),
                toFloat64(cogs),
                toFloat64(revenue_with_cost),
                toFloat64(revenue_without_cost),
                toFloat64(blended_contribution)
            ] as exact,
            [ltv_before, retention_ltv_before, ltv_by_end, retention_ltv_by_end] as ltvs
        from figures
    ),

    -- Side by side: a query that is named twice runs twice.
    both as (
        select
            anyIf(exact, is_present = 1) as this_exact,
            anyIf(exact, is_present = 0) as previous_own,
            any(ltvs) as all_ltvs,
            any(has_acquisition_classification) as has_classification,
            anyIf(margin_basis, is_present = 1) as this_basis,
            anyIf(margin_basis, is_present = 0) as previous_basis
        from lists
    ),

    -- The previous period shows the LTVs, which are the figures 14 and 16, of all customers before the period; changes
    -- compare those with the LTVs of all by its end.
    arrayMap((figure, no) -> multiIf(no = 14, all_ltvs[1], no = 16, all_ltvs[2], figure), previous_own, arrayEnumerate(previous_own))
        as previous_exact,
    arrayMap((figure, no) -> multiIf(no = 14, all_ltvs[3], no = 16, all_ltvs[4], figure), this_exact, arrayEnumerate(this_exact))
        as this_compared,
    arrayMap((figure, scale) -> sign(figure) * floor(abs(figure) * scale + 0.500001) / scale, this_exact, scales) as this,
    arrayMap((figure, scale) -> sign(figure) * floor(abs(figure) * scale + 0.500001) / scale, previous_exact, scales) as previous,
    arrayMap((figure, before) -> change(figure, before), this_compared, previous_exact) as changes

select
    first_day as "period.startDate",
    last_day as "period.endDate",
    instant_text(organization.as_of) as "asOf",
    toFloat64(organization.margin_percent) as "marginPercent",
    organization.is_configured as "marginConfigured",
    organization.completeness as "marginCompleteness",
    organization.gateway_status as "marginItemStatus.gateway",
    organization.tax_status as "marginItemStatus.tax",
    organization.shipping_status as "marginItemStatus.shipping",
    organization.cost_of_goods_status as "marginItemStatus.costOfGoods",
    previous_first_day as "previousPeriod.period.startDate",
    toDate(first_day - 1) as "previousPeriod.period.endDate",
    this[1] as "revenue",
    this[2] as "investment",
    this[3] as "orders",
    this[4] as "newCustomers",
    this[5] as "recurringCustomers",
    this[6] as "customers",
    this[7] as "recurringOrders",
    this[8] as "averageTicket",
    this[9] as "contribution",
    this[10] as "contributionProfit",
    this[11] as "cpv",
    this[12] as "cpr",
    this[13] as "cac",
    this[14] as "ltv",
    this[15] as "ltvLifetime",
    this[16] as "retentionLtv",
    this[17] as "ltvCacRatio",
    this[18] as "roi",
    this[19] as "clv",
    this[20] as "payback",
    this[21] as "conversionRate",
    this[22] as "campaignCac",
    this[23] as "acquisitionInvestment",
    this[24] as "acquisitionNewCustomers",
    this[25] as "acquisitionCac",
    this[26] as "acquisitionContribution",
    this[27] as "acquisitionLtv",
    this[28] as "acquisitionLtvCacRatio",
    this[29] as "acquisitionRoi",
    this[30] as "brandInvestment",
    this[31] as "brandImpressions",
    this[32] as "brandNewCustomers",
    this[33] as "brandContribution",
    this[34] as "brandRoi",
    this[35] as "monetizationInvestment",
    this[36] as "monetizationContribution",
    this[37] as "monetizationRoi",
    this[38] as "monetizationRecurringCustomers",
    this[39] as "monetizationCpr",
    this[40] as "unclassifiedInvestment",
    this[41] as "cogs",
    this[42] as "revenueWithCmv",
    this[43] as "revenueWithoutCmv",
    this[44] as "blendedContribution",
    has_classification as "hasAcquisitionClassification",
    this_basis as "marginBasis",
    previous[1] as "previousPeriod.revenue",
    previous[2] as "previousPeriod.investment",
    previous[3] as "previousPeriod.orders",
    previous[4] as "previousPeriod.newCustomers",
    previous[5] as "previousPeriod.recurringCustomers",
    previous[6] as "previousPeriod.customers",
    previous[7] as "previousPeriod.recurringOrders",
    previous[8] as "previousPeriod.averageTicket",
    previous[9] as "previousPeriod.contribution",
    previous[10] as "previousPeriod.contributionProfit",
    previous[11] as "previousPeriod.cpv",
    previous[12] as "previousPeriod.cpr",
    previous[13] as "previousPeriod.cac",
    previous[14] as "previousPeriod.ltv",
    previous[15] as "previousPeriod.ltvLifetime",
    previous[16] as "previousPeriod.retentionLtv",
    previous[17] as "previousPeriod.ltvCacRatio",
    previous[18] as "previousPeriod.roi",
    previous[19] as "previousPeriod.clv",
    previous[20] as "previousPeriod.payback",
    previous[21] as "previousPeriod.conversionRate",
    previous[22] as "previousPeriod.campaignCac",
    previous[23] as "previousPeriod.acquisitionInvestment",
    previous[24] as "previousPeriod.acquisitionNewCustomers",
    previous[25] as "previousPeriod.acquisitionCac",
    previous[26] as "previousPeriod.acquisitionContribution",
    previous[27] as "previousPeriod.acquisitionLtv",
    previous[28] as "previousPeriod.acquisitionLtvCacRatio",
    previous[29] as "previousPeriod.acquisitionRoi",
    previous[30] as "previousPeriod.brandInvestment",
    previous[31] as "previousPeriod.brandImpressions",
    previous[32] as "previousPeriod.brandNewCustomers",
    previous[33] as "previousPeriod.brandContribution",
    previous[34] as "previousPeriod.brandRoi",
    previous[35] as "previousPeriod.monetizationInvestment",
    previous[36] as "previousPeriod.monetizationContribution",
    previous[37] as "previousPeriod.monetizationRoi",
    previous[38] as "previousPeriod.monetizationRecurringCustomers",
    previous[39] as "previousPeriod.monetizationCpr",
    previous[40] as "previousPeriod.unclassifiedInvestment",
    previous[41] as "previousPeriod.cogs",
    previous[42] as "previousPeriod.revenueWithCmv",
    previous[43] as "previousPeriod.revenueWithoutCmv",
    previous[44] as "previousPeriod.blendedContribution",
    has_classification as "previousPeriod.hasAcquisitionClassification",
    previous_basis as "previousPeriod.marginBasis",
    changes[1] as "changes.revenue",
    changes[2] as "changes.investment",
    changes[3] as "changes.orders",
    changes[4] as "changes.newCustomers",
    changes[5] as "changes.recurringCustomers",
    changes[6] as "changes.customers",
    changes[7] as "changes.recurringOrders",
    changes[8] as "changes.averageTicket",
    changes[9] as "changes.contribution",
    changes[10] as "changes.contributionProfit",
    changes[11] as "changes.cpv",
    changes[12] as "changes.cpr",
    changes[13] as "changes.cac",
    changes[14] as "changes.ltv",
    changes[15] as "changes.ltvLifetime",
    changes[16] as "changes.retentionLtv",
    changes[17] as "changes.ltvCacRatio",
    changes[18] as "changes.roi",
    changes[19] as "changes.clv",
    changes[20] as "changes.payback",
    changes[21] as "changes.conversionRate",
    changes[22] as "changes.campaignCac",
    changes[23] as "changes.acquisitionInvestment",
    changes[24] as "changes.acquisitionNewCustomers",
    changes[25] as "changes.acquisitionCac",
    changes[26] as "changes.acquisitionContribution",
    changes[27] as "changes.acquisitionLtv",
    changes[28] as "changes.acquisitionLtvCacRatio",
    changes[29] as "changes.acquisitionRoi",
    changes[30] as "changes.brandInvestment",
    changes[31] as "changes.brandImpressions",
    changes[32] as "changes.brandNewCustomers",
    changes[33] as "changes.brandContribution",
    changes[34] as "changes.brandRoi",
    changes[35] as "changes.monetizationInvestment",
    changes[36] as "changes.monetizationContribution",
    changes[37] as "changes.monetizationRoi",
    changes[38] as "changes.monetizationRecurringCustomers",
    changes[39] as "changes.monetizationCpr",
    changes[40] as "changes.unclassifiedInvestment",
    changes[41] as "changes.cogs",
    changes[42] as "changes.revenueWithCmv",
    changes[43] as "changes.revenueWithoutCmv",
    changes[44] as "changes.blendedContribution",
    0 as "changes.margin"
from both
cross join organization
