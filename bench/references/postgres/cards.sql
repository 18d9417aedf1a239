-- Indicators of a period, of the period before it, and how they changed.
-- Days that can be added up are added up; the orders are read once for both periods.

with

windows (window_no, first_on, last_on) as (

    values
        (1, $start_date::date, $end_date::date),
        (2, $start_date::date - ($end_date::date - $start_date::date + 1), $start_date::date - 1)

),

order_totals as (

    select
        case when ordered_on >= $start_date::date then 1 else 2 end as window_no,
        sum(revenue) as revenue,
        sum(orders) as orders,
        sum(recurring_orders) as recurring_orders,
        sum(cost) as cogs,
        sum(revenue_with_cost) as revenue_with_cost,
        sum(revenue) filter (where strategy = 'monetization') as monetization_revenue,
        sum(recurring_orders) filter (where strategy = 'monetization') as monetization_recurring_orders
    from daily_orders
    where ordered_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

customer_totals as (

    select
        case when first_on >= $start_date::date then 1 else 2 end as window_no,
        sum(customers) as new_customers,
        sum(revenue) as revenue_to_date,
        sum(retention_revenue) as retention_revenue,
        sum(customers) filter (where strategy = 'acquisition') as acquisition_new_customers,
        sum(revenue) filter (where strategy = 'acquisition') as acquisition_revenue_to_date,
        sum(customers) filter (where strategy = 'brand') as brand_new_customers
    from daily_acquisitions
    where first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

spend_totals as (

    select
        case when spent_on >= $start_date::date then 1 else 2 end as window_no,
        sum(spend) as investment,
        sum(spend) filter (where strategy = 'acquisition') as acquisition_investment,
        sum(spend) filter (where strategy = 'brand') as brand_investment,
        sum(impressions) filter (where strategy = 'brand') as brand_impressions,
        sum(spend) filter (where strategy = 'monetization') as monetization_investment,
        sum(spend) filter (where strategy is null) as unclassified_investment
    from daily_spend
    where spent_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

site_totals as (

    select
        case when happened_on >= $start_date::date then 1 else 2 end as window_no,
        100.0 * sum(decision) / nullif(sum(interest), 0) as conversion_rate
    from daily_site_events
    where happened_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

-- A customer's first order in the window is the one whose previous order is before the window.
returning_totals as (

    select
        window_no,
        count(*) filter (where previous_on < window_first_on) as recurring_customers,
        sum(revenue) filter (where first_strategy = 'acquisition' and is_new) as acquisition_revenue,
        sum(revenue) filter (where first_strategy = 'brand' and is_new) as brand_revenue,
        count(*) filter (
            where is_monetized and coalesce(previous_monetized_on < window_first_on, true)
        ) as monetization_recurring_customers
    from (
        select
            1 as window_no,
            previous_on,
            previous_monetized_on,
            revenue,
            first_strategy,
            strategy = 'monetization' and is_recurring as is_monetized,
            $start_date::date as window_first_on,
            first_on between $start_date::date and $end_date::date as is_new
        from orders
        where ordered_on between $start_date::date and $end_date::date
        union all
        select
            2,
            previous_on,
            previous_monetized_on,
            revenue,
            first_strategy,
            strategy = 'monetization' and is_recurring,
            $start_date::date - ($end_date::date - $start_date::date + 1),
            first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $start_date::date - 1
        from orders
        where ordered_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $start_date::date - 1
    ) as window_orders
    group by window_no

),

-- All customers, those acquired before the period, and those acquired by its end.
lifetimes as (

    select
        sum(revenue) / nullif(sum(customers), 0) as lifetime,
        sum(revenue) filter (where first_on < $start_date::date)
            / nullif(sum(customers) filter (where first_on < $start_date::date), 0) as before,
        sum(retention_revenue) filter (where first_on < $start_date::date)
            / nullif(sum(customers) filter (where first_on < $start_date::date), 0) as retention_before,
        sum(revenue) filter (where first_on <= $end_date::date)
            / nullif(sum(customers) filter (where first_on <= $end_date::date), 0) as by_end,
        sum(retention_revenue) filter (where first_on <= $end_date::date)
            / nullif(sum(customers) filter (where first_on <= $end_date::date), 0) as retention_by_end
    from daily_acquisitions

),

-- Months until the margin of the customers acquired in a month covers the spend of that month, weighted by customers.
accumulated as (

    select
        window_no,
        first_month,
        month_no,
        sum(revenue) over (partition by window_no, first_month order by month_no) as revenue
    from (
        select
            case when first_on >= $start_date::date then 1 else 2 end as window_no,
            first_month,
            month_no,
            sum(revenue) as revenue
        from daily_cohorts
        where first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
        group by 1, 2, 3
    ) as month_revenue

),

month_spend as (

    select
        case when spent_on >= $start_date::date then 1 else 2 end as window_no,
        spent_month as first_month,
        sum(spend) as spend
    from daily_spend
    where spent_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1, 2

),

paid_back as (

    select window_no, first_month, min(month_no) as months
    from accumulated
    join month_spend using (window_no, first_month)
    where month_spend.spend > 0
        and accumulated.revenue * (select margin_rate from organization) >= month_spend.spend
    group by 1, 2

),

month_customers as (

    select case when first_on >= $start_date::date then 1 else 2 end as window_no, first_month, sum(customers) as customers
    from daily_acquisitions
    where first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1, 2

),

paybacks as (

    select
        window_no,
        sum(paid_back.months * month_customers.customers)::numeric / nullif(sum(month_customers.customers), 0) as payback
    from paid_back
    join month_customers using (window_no, first_month)
    group by 1

),

totals as (

    select
        windows.*,
        organization.margin_rate,
        organization.is_configured,
        organization.has_acquisition_classification,
        coalesce(order_totals.revenue, 0) as revenue,
        coalesce(order_totals.orders, 0) as orders,
        coalesce(order_totals.recurring_orders, 0) as recurring_orders,
        coalesce(order_totals.cogs, 0) as cogs,
        coalesce(order_totals.revenue_with_cost, 0) as revenue_with_cost,
        coalesce(order_totals.monetization_revenue, 0) as monetization_revenue,
        order_totals.monetization_recurring_orders,
        coalesce(customer_totals.new_customers, 0) as new_customers,
        customer_totals.revenue_to_date,
        customer_totals.retention_revenue,
        coalesce(customer_totals.acquisition_new_customers, 0) as acquisition_new_customers,
        customer_totals.acquisition_revenue_to_date,
        coalesce(customer_totals.brand_new_customers, 0) as brand_new_customers,
        coalesce(spend_totals.investment, 0) as investment,
        coalesce(spend_totals.acquisition_investment, 0) as acquisition_investment,
        coalesce(spend_totals.brand_investment, 0) as brand_investment,
        coalesce(spend_totals.brand_impressions, 0) as brand_impressions,
        coalesce(spend_totals.monetization_investment, 0) as monetization_investment,
        coalesce(spend_totals.unclassified_investment, 0) as unclassified_investment,
        coalesce(returning_totals.recurring_customers, 0) as recurring_customers,
        coalesce(returning_totals.acquisition_revenue, 0) as acquisition_revenue,
        coalesce(returning_totals.brand_revenue, 0) as brand_revenue,
        coalesce(returning_totals.monetization_recurring_customers, 0) as monetization_recurring_customers,
        site_totals.conversion_rate,
        paybacks.payback,
        lifetimes.lifetime * organization.margin_rate as ltv_lifetime,
        lifetimes.before * organization.margin_rate as ltv_before,
        lifetimes.retention_before * organization.margin_rate as retention_ltv_before,
        lifetimes.by_end * organization.margin_rate as ltv_by_end,
        lifetimes.retention_by_end * organization.margin_rate as retention_ltv_by_end
    from windows
    cross join organization
    cross join lifetimes
    left join order_totals using (window_no)
    left join customer_totals using (window_no)
    left join spend_totals using (window_no)
    left join site_totals using (window_no)
    left join returning_totals using (window_no)
    left join paybacks using (window_no)

),

figures as (

    select
        *,
        new_customers + recurring_customers as customers,
        coalesce(revenue / nullif(orders, 0), 0) as average_ticket,
        revenue * margin_rate as contribution,
        revenue * margin_rate - investment as contribution_profit,
        coalesce(investment / nullif(orders, 0), 0) as cpv,
        coalesce(investment / nullif(recurring_orders, 0), 0) as cpr,
        coalesce(investment / nullif(new_customers, 0), 0) as cac,
        revenue_to_date * margin_rate / nullif(new_customers, 0) as ltv,
        retention_revenue * margin_rate / nullif(new_customers, 0) as retention_ltv,
        coalesce(revenue_to_date * margin_rate / nullif(investment, 0), 0) as ltv_cac_ratio,
        coalesce((revenue * margin_rate - investment) / nullif(investment, 0), 0) as roi,
        (revenue_to_date * margin_rate - investment) / nullif(new_customers, 0) as clv,
        coalesce(acquisition_investment / nullif(new_customers, 0), 0) as campaign_cac,
        acquisition_investment / nullif(acquisition_new_customers, 0) as acquisition_cac,
        acquisition_revenue * margin_rate as acquisition_contribution,
        acquisition_revenue_to_date * margin_rate / nullif(acquisition_new_customers, 0) as acquisition_ltv,
        acquisition_revenue_to_date * margin_rate / nullif(acquisition_investment, 0) as acquisition_ltv_cac_ratio,
        (acquisition_revenue * margin_rate - acquisition_investment) / nullif(acquisition_investment, 0) as acquisition_roi,
        brand_revenue * margin_rate as brand_contribution,
        (brand_revenue * margin_rate - brand_investment) / nullif(brand_investment, 0) as brand_roi,
        monetization_revenue * margin_rate as monetization_contribution,
        (monetization_revenue * margin_rate - monetization_investment) / nullif(monetization_investment, 0) as monetization_roi,
        monetization_investment / nullif(monetization_recurring_orders, 0) as monetization_cpr,
        revenue - revenue_with_cost as revenue_without_cost,
        case
            when revenue = 0 then 'no_basis'
            when revenue_with_cost = revenue then 'cmv_real'
            when revenue_with_cost <> 0 then 'mixed'
            when is_configured then 'configured_percent'
            else 'no_basis'
        end as margin_basis,
        revenue_with_cost - cogs + (revenue - revenue_with_cost) * margin_rate as blended_contribution
    from totals

)

select
    this.first_on as "period.startDate",
    this.last_on as "period.endDate",
    instant_text(organization.as_of) as "asOf",
    organization.margin_percent as "marginPercent",
    organization.is_configured as "marginConfigured",
    organization.completeness as "marginCompleteness",
    organization.gateway_status as "marginItemStatus.gateway",
    organization.tax_status as "marginItemStatus.tax",
    organization.shipping_status as "marginItemStatus.shipping",
    organization.cost_of_goods_status as "marginItemStatus.costOfGoods",
    previous.first_on as "previousPeriod.period.startDate",
    previous.last_on as "previousPeriod.period.endDate",
    amount(this.revenue) as "revenue",
    amount(this.investment) as "investment",
    this.orders as "orders",
    this.new_customers as "newCustomers",
    this.recurring_customers as "recurringCustomers",
    this.customers as "customers",
    this.recurring_orders as "recurringOrders",
    amount(this.average_ticket) as "averageTicket",
    amount(this.contribution) as "contribution",
    amount(this.contribution_profit) as "contributionProfit",
    amount(this.cpv) as "cpv",
    amount(this.cpr) as "cpr",
    amount(this.cac) as "cac",
    amount(this.ltv) as "ltv",
    amount(this.ltv_lifetime) as "ltvLifetime",
    amount(this.retention_ltv) as "retentionLtv",
    ratio(this.ltv_cac_ratio) as "ltvCacRatio",
    ratio(this.roi) as "roi",
    amount(this.clv) as "clv",
    amount(this.payback) as "payback",
    amount(this.conversion_rate) as "conversionRate",
    amount(this.campaign_cac) as "campaignCac",
    amount(this.acquisition_investment) as "acquisitionInvestment",
    this.acquisition_new_customers as "acquisitionNewCustomers",
    amount(this.acquisition_cac) as "acquisitionCac",
    amount(this.acquisition_contribution) as "acquisitionContribution",
    amount(this.acquisition_ltv) as "acquisitionLtv",
    ratio(this.acquisition_ltv_cac_ratio) as "acquisitionLtvCacRatio",
    ratio(this.acquisition_roi) as "acquisitionRoi",
    amount(this.brand_investment) as "brandInvestment",
    round(this.brand_impressions) as "brandImpressions",
    this.brand_new_customers as "brandNewCustomers",
    amount(this.brand_contribution) as "brandContribution",
    ratio(this.brand_roi) as "brandRoi",
    amount(this.monetization_investment) as "monetizationInvestment",
    amount(this.monetization_contribution) as "monetizationContribution",
    ratio(this.monetization_roi) as "monetizationRoi",
    this.monetization_recurring_customers as "monetizationRecurringCustomers",
    amount(this.monetization_cpr) as "monetizationCpr",
    amount(this.unclassified_investment) as "unclassifiedInvestment",
    this.has_acquisition_classification as "hasAcquisitionClassification",
    amount(this.cogs) as "cogs",
    amount(this.revenue_with_cost) as "revenueWithCmv",
    amount(this.revenue_without_cost) as "revenueWithoutCmv",
    this.margin_basis as "marginBasis",
    amount(this.blended_contribution) as "blendedContribution",
    amount(previous.revenue) as "previousPeriod.revenue",
    amount(previous.investment) as "previousPeriod.investment",
    previous.orders as "previousPeriod.orders",
    previous.new_customers as "previousPeriod.newCustomers",
    previous.recurring_customers as "previousPeriod.recurringCustomers",
    previous.customers as "previousPeriod.customers",
    previous.recurring_orders as "previousPeriod.recurringOrders",
    amount(previous.average_ticket) as "previousPeriod.averageTicket",
    amount(previous.contribution) as "previousPeriod.contribution",
    amount(previous.contribution_profit) as "previousPeriod.contributionProfit",
    amount(previous.cpv) as "previousPeriod.cpv",
    amount(previous.cpr) as "previousPeriod.cpr",
    amount(previous.cac) as "previousPeriod.cac",
    amount(previous.ltv_before) as "previousPeriod.ltv",
    amount(previous.ltv_lifetime) as "previousPeriod.ltvLifetime",
    amount(previous.retention_ltv_before) as "previousPeriod.retentionLtv",
    ratio(previous.ltv_cac_ratio) as "previousPeriod.ltvCacRatio",
    ratio(previous.roi) as "previousPeriod.roi",
    amount(previous.clv) as "previousPeriod.clv",
    amount(previous.payback) as "previousPeriod.payback",
    amount(previous.conversion_rate) as "previousPeriod.conversionRate",
    amount(previous.campaign_cac) as "previousPeriod.campaignCac",
    amount(previous.acquisition_investment) as "previousPeriod.acquisitionInvestment",
    previous.acquisition_new_customers as "previousPeriod.acquisitionNewCustomers",
    amount(previous.acquisition_cac) as "previousPeriod.acquisitionCac",
    amount(previous.acquisition_contribution) as "previousPeriod.acquisitionContribution",
    amount(previous.acquisition_ltv) as "previousPeriod.acquisitionLtv",
    ratio(previous.acquisition_ltv_cac_ratio) as "previousPeriod.acquisitionLtvCacRatio",
    ratio(previous.acquisition_roi) as "previousPeriod.acquisitionRoi",
    amount(previous.brand_investment) as "previousPeriod.brandInvestment",
    round(previous.brand_impressions) as "previousPeriod.brandImpressions",
    previous.brand_new_customers as "previousPeriod.brandNewCustomers",
    amount(previous.brand_contribution) as "previousPeriod.brandContribution",
    ratio(previous.brand_roi) as "previousPeriod.brandRoi",
    amount(previous.monetization_investment) as "previousPeriod.monetizationInvestment",
    amount(previous.monetization_contribution) as "previousPeriod.monetizationContribution",
    ratio(previous.monetization_roi) as "previousPeriod.monetizationRoi",
    previous.monetization_recurring_customers as "previousPeriod.monetizationRecurringCustomers",
    amount(previous.monetization_cpr) as "previousPeriod.monetizationCpr",
    amount(previous.unclassified_investment) as "previousPeriod.unclassifiedInvestment",
    previous.has_acquisition_classification as "previousPeriod.hasAcquisitionClassification",
    amount(previous.cogs) as "previousPeriod.cogs",
    amount(previous.revenue_with_cost) as "previousPeriod.revenueWithCmv",
    amount(previous.revenue_without_cost) as "previousPeriod.revenueWithoutCmv",
    previous.margin_basis as "previousPeriod.marginBasis",
    amount(previous.blended_contribution) as "previousPeriod.blendedContribution",
    change(this.revenue, previous.revenue) as "changes.revenue",
    change(this.investment, previous.investment) as "changes.investment",
    change(this.orders, previous.orders) as "changes.orders",
    change(this.new_customers, previous.new_customers) as "changes.newCustomers",
    change(this.recurring_customers, previous.recurring_customers) as "changes.recurringCustomers",
    change(this.customers, previous.customers) as "changes.customers",
    change(this.recurring_orders, previous.recurring_orders) as "changes.recurringOrders",
    change(this.average_ticket, previous.average_ticket) as "changes.averageTicket",
    change(this.contribution, previous.contribution) as "changes.contribution",
    change(this.contribution_profit, previous.contribution_profit) as "changes.contributionProfit",
    change(this.cpv, previous.cpv) as "changes.cpv",
    change(this.cpr, previous.cpr) as "changes.cpr",
    change(this.cac, previous.cac) as "changes.cac",
    change(this.ltv_by_end, previous.ltv_before) as "changes.ltv",
    change(this.ltv_lifetime, previous.ltv_lifetime) as "changes.ltvLifetime",
    change(this.retention_ltv_by_end, previous.retention_ltv_before) as "changes.retentionLtv",
    change(this.ltv_cac_ratio, previous.ltv_cac_ratio) as "changes.ltvCacRatio",
    change(this.roi, previous.roi) as "changes.roi",
    change(this.clv, previous.clv) as "changes.clv",
    change(this.payback, previous.payback) as "changes.payback",
    change(this.conversion_rate, previous.conversion_rate) as "changes.conversionRate",
    change(this.campaign_cac, previous.campaign_cac) as "changes.campaignCac",
    change(this.acquisition_investment, previous.acquisition_investment) as "changes.acquisitionInvestment",
    change(this.acquisition_new_customers, previous.acquisition_new_customers) as "changes.acquisitionNewCustomers",
    change(this.acquisition_cac, previous.acquisition_cac) as "changes.acquisitionCac",
    change(this.acquisition_contribution, previous.acquisition_contribution) as "changes.acquisitionContribution",
    change(this.acquisition_ltv, previous.acquisition_ltv) as "changes.acquisitionLtv",
    change(this.acquisition_ltv_cac_ratio, previous.acquisition_ltv_cac_ratio) as "changes.acquisitionLtvCacRatio",
    change(this.acquisition_roi, previous.acquisition_roi) as "changes.acquisitionRoi",
    change(this.brand_investment, previous.brand_investment) as "changes.brandInvestment",
    change(this.brand_impressions, previous.brand_impressions) as "changes.brandImpressions",
    change(this.brand_new_customers, previous.brand_new_customers) as "changes.brandNewCustomers",
    change(this.brand_contribution, previous.brand_contribution) as "changes.brandContribution",
    change(this.brand_roi, previous.brand_roi) as "changes.brandRoi",
    change(this.monetization_investment, previous.monetization_investment) as "changes.monetizationInvestment",
    change(this.monetization_contribution, previous.monetization_contribution) as "changes.monetizationContribution",
    change(this.monetization_roi, previous.monetization_roi) as "changes.monetizationRoi",
    change(this.monetization_recurring_customers, previous.monetization_recurring_customers) as "changes.monetizationRecurringCustomers",
    change(this.monetization_cpr, previous.monetization_cpr) as "changes.monetizationCpr",
    change(this.unclassified_investment, previous.unclassified_investment) as "changes.unclassifiedInvestment",
    change(this.cogs, previous.cogs) as "changes.cogs",
    change(this.revenue_with_cost, previous.revenue_with_cost) as "changes.revenueWithCmv",
    change(this.revenue_without_cost, previous.revenue_without_cost) as "changes.revenueWithoutCmv",
    change(this.blended_contribution, previous.blended_contribution) as "changes.blendedContribution",
    0 as "changes.margin"
from figures as this
cross join figures as previous
cross join organization
where this.window_no = 1 and previous.window_no = 2
