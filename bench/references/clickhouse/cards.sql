-- Indicators of a period, of the period before it, and how they changed.
-- Days that can be added up are added up; the orders are read once for both periods. Distinct customers are exact, in
-- bitmaps of their numbers.

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

    -- An order that is its customer's first in the window is the one whose previous order is before the window.
    returning_totals as (
        select
            ordered_on >= first_day as is_present,
            if(ordered_on >= first_day, first_day, previous_first_day) as window_first_day,
            if(ordered_on >= first_day, last_day, first_day - 1) as window_last_day,
            countIf(previous_on > toDate(0) and previous_on < window_first_day) as recurring_customers,
            sumIf(revenue, first_strategy = 'acquisition' and first_on between window_first_day and window_last_day)
                as acquisition_revenue,
            sumIf(revenue, first_strategy = 'brand' and first_on between window_first_day and window_last_day) as brand_revenue,
            groupBitmapIf(customer_no, strategy = 'monetization' and is_recurring) as monetization_recurring_customers
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

    -- Side by side: a query that is named twice runs twice.
    both as (
        select
            anyIf(revenue, is_present = 1) as this_revenue,
            anyIf(revenue, is_present = 0) as previous_revenue,
            anyIf(investment, is_present = 1) as this_investment,
            anyIf(investment, is_present = 0) as previous_investment,
            anyIf(orders, is_present = 1) as this_orders,
            anyIf(orders, is_present = 0) as previous_orders,
            anyIf(new_customers, is_present = 1) as this_new_customers,
            anyIf(new_customers, is_present = 0) as previous_new_customers,
            anyIf(recurring_customers, is_present = 1) as this_recurring_customers,
            anyIf(recurring_customers, is_present = 0) as previous_recurring_customers,
            anyIf(customers, is_present = 1) as this_customers,
            anyIf(customers, is_present = 0) as previous_customers,
            anyIf(recurring_orders, is_present = 1) as this_recurring_orders,
            anyIf(recurring_orders, is_present = 0) as previous_recurring_orders,
            anyIf(average_ticket, is_present = 1) as this_average_ticket,
            anyIf(average_ticket, is_present = 0) as previous_average_ticket,
            anyIf(contribution, is_present = 1) as this_contribution,
            anyIf(contribution, is_present = 0) as previous_contribution,
            anyIf(contribution_profit, is_present = 1) as this_contribution_profit,
            anyIf(contribution_profit, is_present = 0) as previous_contribution_profit,
            anyIf(cpv, is_present = 1) as this_cpv,
            anyIf(cpv, is_present = 0) as previous_cpv,
            anyIf(cpr, is_present = 1) as this_cpr,
            anyIf(cpr, is_present = 0) as previous_cpr,
            anyIf(cac, is_present = 1) as this_cac,
            anyIf(cac, is_present = 0) as previous_cac,
            anyIf(ltv, is_present = 1) as this_ltv,
            anyIf(ltv, is_present = 0) as previous_ltv,
            anyIf(ltv_lifetime, is_present = 1) as this_ltv_lifetime,
            anyIf(ltv_lifetime, is_present = 0) as previous_ltv_lifetime,
            anyIf(retention_ltv, is_present = 1) as this_retention_ltv,
            anyIf(retention_ltv, is_present = 0) as previous_retention_ltv,
            anyIf(ltv_cac_ratio, is_present = 1) as this_ltv_cac_ratio,
            anyIf(ltv_cac_ratio, is_present = 0) as previous_ltv_cac_ratio,
            anyIf(roi, is_present = 1) as this_roi,
            anyIf(roi, is_present = 0) as previous_roi,
            anyIf(clv, is_present = 1) as this_clv,
            anyIf(clv, is_present = 0) as previous_clv,
            anyIf(payback, is_present = 1) as this_payback,
            anyIf(payback, is_present = 0) as previous_payback,
            anyIf(conversion_rate, is_present = 1) as this_conversion_rate,
            anyIf(conversion_rate, is_present = 0) as previous_conversion_rate,
            anyIf(campaign_cac, is_present = 1) as this_campaign_cac,
            anyIf(campaign_cac, is_present = 0) as previous_campaign_cac,
            anyIf(acquisition_investment, is_present = 1) as this_acquisition_investment,
            anyIf(acquisition_investment, is_present = 0) as previous_acquisition_investment,
            anyIf(acquisition_new_customers, is_present = 1) as this_acquisition_new_customers,
            anyIf(acquisition_new_customers, is_present = 0) as previous_acquisition_new_customers,
            anyIf(acquisition_cac, is_present = 1) as this_acquisition_cac,
            anyIf(acquisition_cac, is_present = 0) as previous_acquisition_cac,
            anyIf(acquisition_contribution, is_present = 1) as this_acquisition_contribution,
            anyIf(acquisition_contribution, is_present = 0) as previous_acquisition_contribution,
            anyIf(acquisition_ltv, is_present = 1) as this_acquisition_ltv,
            anyIf(acquisition_ltv, is_present = 0) as previous_acquisition_ltv,
            anyIf(acquisition_ltv_cac_ratio, is_present = 1) as this_acquisition_ltv_cac_ratio,
            anyIf(acquisition_ltv_cac_ratio, is_present = 0) as previous_acquisition_ltv_cac_ratio,
            anyIf(acquisition_roi, is_present = 1) as this_acquisition_roi,
            anyIf(acquisition_roi, is_present = 0) as previous_acquisition_roi,
            anyIf(brand_investment, is_present = 1) as this_brand_investment,
            anyIf(brand_investment, is_present = 0) as previous_brand_investment,
            anyIf(brand_impressions, is_present = 1) as this_brand_impressions,
            anyIf(brand_impressions, is_present = 0) as previous_brand_impressions,
            anyIf(brand_new_customers, is_present = 1) as this_brand_new_customers,
            anyIf(brand_new_customers, is_present = 0) as previous_brand_new_customers,
            anyIf(brand_contribution, is_present = 1) as this_brand_contribution,
            anyIf(brand_contribution, is_present = 0) as previous_brand_contribution,
            anyIf(brand_roi, is_present = 1) as this_brand_roi,
            anyIf(brand_roi, is_present = 0) as previous_brand_roi,
            anyIf(monetization_investment, is_present = 1) as this_monetization_investment,
            anyIf(monetization_investment, is_present = 0) as previous_monetization_investment,
            anyIf(monetization_contribution, is_present = 1) as this_monetization_contribution,
            anyIf(monetization_contribution, is_present = 0) as previous_monetization_contribution,
            anyIf(monetization_roi, is_present = 1) as this_monetization_roi,
            anyIf(monetization_roi, is_present = 0) as previous_monetization_roi,
            anyIf(monetization_recurring_customers, is_present = 1) as this_monetization_recurring_customers,
            anyIf(monetization_recurring_customers, is_present = 0) as previous_monetization_recurring_customers,
            anyIf(monetization_cpr, is_present = 1) as this_monetization_cpr,
            anyIf(monetization_cpr, is_present = 0) as previous_monetization_cpr,
            anyIf(unclassified_investment, is_present = 1) as this_unclassified_investment,
            anyIf(unclassified_investment, is_present = 0) as previous_unclassified_investment,
            anyIf(has_acquisition_classification, is_present = 1) as this_has_acquisition_classification,
            anyIf(has_acquisition_classification, is_present = 0) as previous_has_acquisition_classification,
            anyIf(cogs, is_present = 1) as this_cogs,
            anyIf(cogs, is_present = 0) as previous_cogs,
            anyIf(revenue_with_cost, is_present = 1) as this_revenue_with_cost,
            anyIf(revenue_with_cost, is_present = 0) as previous_revenue_with_cost,
            anyIf(revenue_without_cost, is_present = 1) as this_revenue_without_cost,
            anyIf(revenue_without_cost, is_present = 0) as previous_revenue_without_cost,
            anyIf(margin_basis, is_present = 1) as this_margin_basis,
            anyIf(margin_basis, is_present = 0) as previous_margin_basis,
            anyIf(blended_contribution, is_present = 1) as this_blended_contribution,
            anyIf(blended_contribution, is_present = 0) as previous_blended_contribution,
            any(ltv_before) as any_ltv_before,
            any(retention_ltv_before) as any_retention_ltv_before,
            any(ltv_by_end) as any_ltv_by_end,
            any(retention_ltv_by_end) as any_retention_ltv_by_end
        from figures
    )

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
    money(this_revenue) as "revenue",
    money(this_investment) as "investment",
    this_orders as "orders",
    this_new_customers as "newCustomers",
    this_recurring_customers as "recurringCustomers",
    this_customers as "customers",
    this_recurring_orders as "recurringOrders",
    money(this_average_ticket) as "averageTicket",
    money(this_contribution) as "contribution",
    money(this_contribution_profit) as "contributionProfit",
    money(this_cpv) as "cpv",
    money(this_cpr) as "cpr",
    money(this_cac) as "cac",
    money(this_ltv) as "ltv",
    money(this_ltv_lifetime) as "ltvLifetime",
    money(this_retention_ltv) as "retentionLtv",
    ratio(this_ltv_cac_ratio) as "ltvCacRatio",
    ratio(this_roi) as "roi",
    money(this_clv) as "clv",
    money(this_payback) as "payback",
    money(this_conversion_rate) as "conversionRate",
    money(this_campaign_cac) as "campaignCac",
    money(this_acquisition_investment) as "acquisitionInvestment",
    this_acquisition_new_customers as "acquisitionNewCustomers",
    money(this_acquisition_cac) as "acquisitionCac",
    money(this_acquisition_contribution) as "acquisitionContribution",
    money(this_acquisition_ltv) as "acquisitionLtv",
    ratio(this_acquisition_ltv_cac_ratio) as "acquisitionLtvCacRatio",
    ratio(this_acquisition_roi) as "acquisitionRoi",
    money(this_brand_investment) as "brandInvestment",
    toInt64(round(this_brand_impressions)) as "brandImpressions",
    this_brand_new_customers as "brandNewCustomers",
    money(this_brand_contribution) as "brandContribution",
    ratio(this_brand_roi) as "brandRoi",
    money(this_monetization_investment) as "monetizationInvestment",
    money(this_monetization_contribution) as "monetizationContribution",
    ratio(this_monetization_roi) as "monetizationRoi",
    this_monetization_recurring_customers as "monetizationRecurringCustomers",
    money(this_monetization_cpr) as "monetizationCpr",
    money(this_unclassified_investment) as "unclassifiedInvestment",
    this_has_acquisition_classification as "hasAcquisitionClassification",
    money(this_cogs) as "cogs",
    money(this_revenue_with_cost) as "revenueWithCmv",
    money(this_revenue_without_cost) as "revenueWithoutCmv",
    this_margin_basis as "marginBasis",
    money(this_blended_contribution) as "blendedContribution",
    money(previous_revenue) as "previousPeriod.revenue",
    money(previous_investment) as "previousPeriod.investment",
    previous_orders as "previousPeriod.orders",
    previous_new_customers as "previousPeriod.newCustomers",
    previous_recurring_customers as "previousPeriod.recurringCustomers",
    previous_customers as "previousPeriod.customers",
    previous_recurring_orders as "previousPeriod.recurringOrders",
    money(previous_average_ticket) as "previousPeriod.averageTicket",
    money(previous_contribution) as "previousPeriod.contribution",
    money(previous_contribution_profit) as "previousPeriod.contributionProfit",
    money(previous_cpv) as "previousPeriod.cpv",
    money(previous_cpr) as "previousPeriod.cpr",
    money(previous_cac) as "previousPeriod.cac",
    money(any_ltv_before) as "previousPeriod.ltv",
    money(previous_ltv_lifetime) as "previousPeriod.ltvLifetime",
    money(any_retention_ltv_before) as "previousPeriod.retentionLtv",
    ratio(previous_ltv_cac_ratio) as "previousPeriod.ltvCacRatio",
    ratio(previous_roi) as "previousPeriod.roi",
    money(previous_clv) as "previousPeriod.clv",
    money(previous_payback) as "previousPeriod.payback",
    money(previous_conversion_rate) as "previousPeriod.conversionRate",
    money(previous_campaign_cac) as "previousPeriod.campaignCac",
    money(previous_acquisition_investment) as "previousPeriod.acquisitionInvestment",
    previous_acquisition_new_customers as "previousPeriod.acquisitionNewCustomers",
    money(previous_acquisition_cac) as "previousPeriod.acquisitionCac",
    money(previous_acquisition_contribution) as "previousPeriod.acquisitionContribution",
    money(previous_acquisition_ltv) as "previousPeriod.acquisitionLtv",
    ratio(previous_acquisition_ltv_cac_ratio) as "previousPeriod.acquisitionLtvCacRatio",
    ratio(previous_acquisition_roi) as "previousPeriod.acquisitionRoi",
    money(previous_brand_investment) as "previousPeriod.brandInvestment",
    toInt64(round(previous_brand_impressions)) as "previousPeriod.brandImpressions",
    previous_brand_new_customers as "previousPeriod.brandNewCustomers",
    money(previous_brand_contribution) as "previousPeriod.brandContribution",
    ratio(previous_brand_roi) as "previousPeriod.brandRoi",
    money(previous_monetization_investment) as "previousPeriod.monetizationInvestment",
    money(previous_monetization_contribution) as "previousPeriod.monetizationContribution",
    ratio(previous_monetization_roi) as "previousPeriod.monetizationRoi",
    previous_monetization_recurring_customers as "previousPeriod.monetizationRecurringCustomers",
    money(previous_monetization_cpr) as "previousPeriod.monetizationCpr",
    money(previous_unclassified_investment) as "previousPeriod.unclassifiedInvestment",
    previous_has_acquisition_classification as "previousPeriod.hasAcquisitionClassification",
    money(previous_cogs) as "previousPeriod.cogs",
    money(previous_revenue_with_cost) as "previousPeriod.revenueWithCmv",
    money(previous_revenue_without_cost) as "previousPeriod.revenueWithoutCmv",
    previous_margin_basis as "previousPeriod.marginBasis",
    money(previous_blended_contribution) as "previousPeriod.blendedContribution",
    change(this_revenue, previous_revenue) as "changes.revenue",
    change(this_investment, previous_investment) as "changes.investment",
    change(this_orders, previous_orders) as "changes.orders",
    change(this_new_customers, previous_new_customers) as "changes.newCustomers",
    change(this_recurring_customers, previous_recurring_customers) as "changes.recurringCustomers",
    change(this_customers, previous_customers) as "changes.customers",
    change(this_recurring_orders, previous_recurring_orders) as "changes.recurringOrders",
    change(this_average_ticket, previous_average_ticket) as "changes.averageTicket",
    change(this_contribution, previous_contribution) as "changes.contribution",
    change(this_contribution_profit, previous_contribution_profit) as "changes.contributionProfit",
    change(this_cpv, previous_cpv) as "changes.cpv",
    change(this_cpr, previous_cpr) as "changes.cpr",
    change(this_cac, previous_cac) as "changes.cac",
    change(any_ltv_by_end, any_ltv_before) as "changes.ltv",
    change(this_ltv_lifetime, previous_ltv_lifetime) as "changes.ltvLifetime",
    change(any_retention_ltv_by_end, any_retention_ltv_before) as "changes.retentionLtv",
    change(this_ltv_cac_ratio, previous_ltv_cac_ratio) as "changes.ltvCacRatio",
    change(this_roi, previous_roi) as "changes.roi",
    change(this_clv, previous_clv) as "changes.clv",
    change(this_payback, previous_payback) as "changes.payback",
    change(this_conversion_rate, previous_conversion_rate) as "changes.conversionRate",
    change(this_campaign_cac, previous_campaign_cac) as "changes.campaignCac",
    change(this_acquisition_investment, previous_acquisition_investment) as "changes.acquisitionInvestment",
    change(this_acquisition_new_customers, previous_acquisition_new_customers) as "changes.acquisitionNewCustomers",
    change(this_acquisition_cac, previous_acquisition_cac) as "changes.acquisitionCac",
    change(this_acquisition_contribution, previous_acquisition_contribution) as "changes.acquisitionContribution",
    change(this_acquisition_ltv, previous_acquisition_ltv) as "changes.acquisitionLtv",
    change(this_acquisition_ltv_cac_ratio, previous_acquisition_ltv_cac_ratio) as "changes.acquisitionLtvCacRatio",
    change(this_acquisition_roi, previous_acquisition_roi) as "changes.acquisitionRoi",
    change(this_brand_investment, previous_brand_investment) as "changes.brandInvestment",
    change(this_brand_impressions, previous_brand_impressions) as "changes.brandImpressions",
    change(this_brand_new_customers, previous_brand_new_customers) as "changes.brandNewCustomers",
    change(this_brand_contribution, previous_brand_contribution) as "changes.brandContribution",
    change(this_brand_roi, previous_brand_roi) as "changes.brandRoi",
    change(this_monetization_investment, previous_monetization_investment) as "changes.monetizationInvestment",
    change(this_monetization_contribution, previous_monetization_contribution) as "changes.monetizationContribution",
    change(this_monetization_roi, previous_monetization_roi) as "changes.monetizationRoi",
    change(this_monetization_recurring_customers, previous_monetization_recurring_customers) as "changes.monetizationRecurringCustomers",
    change(this_monetization_cpr, previous_monetization_cpr) as "changes.monetizationCpr",
    change(this_unclassified_investment, previous_unclassified_investment) as "changes.unclassifiedInvestment",
    change(this_cogs, previous_cogs) as "changes.cogs",
    change(this_revenue_with_cost, previous_revenue_with_cost) as "changes.revenueWithCmv",
    change(this_revenue_without_cost, previous_revenue_without_cost) as "changes.revenueWithoutCmv",
    change(this_blended_contribution, previous_blended_contribution) as "changes.blendedContribution",
    0 as "changes.margin"
from both
cross join organization
