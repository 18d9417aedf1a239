-- Indicators of a period and of the period before it.
-- Both periods are read in one pass. `count(distinct …)` would sort: distinct customers are hashed, then counted.

with

order_totals as (

    select
        window_no,
        count(*) as orders,
        count(*) filter (where is_recurring) as recurring_orders,
        sum(revenue) as revenue,
        coalesce(sum(cost) filter (where has_real_cost), 0) as cogs,
        coalesce(sum(revenue) filter (where has_real_cost), 0) as revenue_with_cost,
        coalesce(sum(revenue) filter (where is_new and first_strategy = 'acquisition'), 0) as acquisition_revenue,
        coalesce(sum(revenue) filter (where is_new and first_strategy = 'brand'), 0) as brand_revenue,
        coalesce(sum(revenue) filter (where strategy = 'monetization'), 0) as monetization_revenue,
        count(*) filter (where strategy = 'monetization' and is_recurring) as monetization_recurring_orders
    from (
        select
            orders.*,
            case when ordered_on >= $start_date::date then 1 else 2 end as window_no,
            first_on between
                case
                    when ordered_on >= $start_date::date then $start_date::date
                    else $start_date::date - ($end_date::date - $start_date::date + 1)
                end
                and case when ordered_on >= $start_date::date then $end_date::date else $start_date::date - 1 end as is_new
        from orders
        where ordered_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    ) as window_orders
    group by window_no

),

returning_customers as (

    select window_no, count(*) as recurring_customers
    from (
        select distinct case when ordered_on >= $start_date::date then 1 else 2 end as window_no, customer_no
        from orders
        where ordered_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
            and first_on < case
                when ordered_on >= $start_date::date then $start_date::date
                else $start_date::date - ($end_date::date - $start_date::date + 1)
            end
    ) as customers_of_window
    group by window_no

),

monetized_customers as (

    select window_no, count(*) as monetization_recurring_customers
    from (
        select distinct case when ordered_on >= $start_date::date then 1 else 2 end as window_no, customer_no
        from orders
        where ordered_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
            and strategy = 'monetization'
            and is_recurring
    ) as customers_of_window
    group by window_no

),

customer_totals as (

    select
        case when first_on >= $start_date::date then 1 else 2 end as window_no,
        count(*) as new_customers,
        sum(revenue) as revenue,
        sum(retention_revenue) as retention_revenue,
        count(*) filter (where strategy = 'acquisition') as acquisition_new_customers,
        sum(revenue) filter (where strategy = 'acquisition') as acquisition_revenue_to_date,
        count(*) filter (where strategy = 'brand') as brand_new_customers
    from customers
    where first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

-- All customers, and those acquired before the period.
lifetimes as (

    select
        count(*) as customers,
        sum(revenue) as revenue,
        count(*) filter (where first_on < $start_date::date) as customers_before,
        sum(revenue) filter (where first_on < $start_date::date) as revenue_before,
        sum(retention_revenue) filter (where first_on < $start_date::date) as retention_revenue_before
    from customers

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
    from media_spend
    where spent_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

-- Months until the margin of the customers acquired in a month covers the spend of that month, weighted by customers.
month_revenue as (

    select
        case when first_on >= $start_date::date then 1 else 2 end as window_no,
        first_month,
        greatest(ordered_month, first_month) as bought_month,
        sum(revenue) as revenue
    from orders
    where first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1, 2, 3

),

accumulated as (

    select
        window_no,
        first_month,
        bought_month,
        sum(revenue) over (partition by window_no, first_month order by bought_month) as revenue
    from month_revenue

),

month_spend as (

    select
        case when spent_on >= $start_date::date then 1 else 2 end as window_no,
        date_trunc('month', spent_on)::date as first_month,
        sum(spend) as spend
    from media_spend
    where spent_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1, 2

),

paid_back as (

    select
        window_no,
        first_month,
        min(
            12 * (extract(year from bought_month) - extract(year from first_month))
            + extract(month from bought_month) - extract(month from first_month)
        ) as months
    from accumulated
    join month_spend using (window_no, first_month)
    where month_spend.spend > 0
        and accumulated.revenue * (select margin_rate from organization) >= month_spend.spend
    group by 1, 2

),

month_customers as (

    select case when first_on >= $start_date::date then 1 else 2 end as window_no, first_month, count(*) as customers
    from customers
    where first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1, 2

),

paybacks as (

    select window_no, sum(paid_back.months * month_customers.customers) / nullif(sum(month_customers.customers), 0) as months
    from paid_back
    join month_customers using (window_no, first_month)
    group by 1

),

averages as (

    select
        window_no,
        order_totals.orders,
        order_totals.recurring_orders,
        coalesce(returning_customers.recurring_customers, 0) as recurring_customers,
        order_totals.revenue,
        order_totals.cogs,
        order_totals.revenue_with_cost,
        order_totals.monetization_recurring_orders,
        coalesce(monetized_customers.monetization_recurring_customers, 0) as monetization_recurring_customers,
        spend_totals.investment,
        spend_totals.acquisition_investment,
        spend_totals.brand_investment,
        spend_totals.brand_impressions,
        spend_totals.monetization_investment,
        spend_totals.unclassified_investment,
        customer_totals.new_customers,
        customer_totals.acquisition_new_customers,
        customer_totals.brand_new_customers,
        paybacks.months as payback,
        order_totals.revenue * organization.margin_rate as contribution,
        order_totals.acquisition_revenue * organization.margin_rate as acquisition_contribution,
        order_totals.brand_revenue * organization.margin_rate as brand_contribution,
        order_totals.monetization_revenue * organization.margin_rate as monetization_contribution,
        spend_totals.investment / nullif(customer_totals.new_customers, 0) as cac,
        spend_totals.acquisition_investment / nullif(customer_totals.acquisition_new_customers, 0) as acquisition_cac,
        customer_totals.revenue * organization.margin_rate / nullif(customer_totals.new_customers, 0) as ltv,
        customer_totals.retention_revenue * organization.margin_rate
            / nullif(customer_totals.new_customers, 0) as retention_ltv,
        customer_totals.acquisition_revenue_to_date * organization.margin_rate
            / nullif(customer_totals.acquisition_new_customers, 0) as acquisition_ltv,
        lifetimes.revenue * organization.margin_rate / nullif(lifetimes.customers, 0) as ltv_lifetime,
        lifetimes.revenue_before * organization.margin_rate / nullif(lifetimes.customers_before, 0) as ltv_before,
        lifetimes.retention_revenue_before * organization.margin_rate
            / nullif(lifetimes.customers_before, 0) as retention_ltv_before,
        order_totals.revenue_with_cost - order_totals.cogs
            + (order_totals.revenue - order_totals.revenue_with_cost) * organization.margin_rate as blended_contribution
    from order_totals
    join customer_totals using (window_no)
    join spend_totals using (window_no)
    left join paybacks using (window_no)
    left join returning_customers using (window_no)
    left join monetized_customers using (window_no)
    cross join lifetimes
    cross join organization

)

select
    amount(this.revenue) as "revenue",
    amount(this.investment) as "investment",
    this.orders as "orders",
    this.new_customers as "newCustomers",
    this.recurring_customers as "recurringCustomers",
    this.new_customers + this.recurring_customers as "customers",
    this.recurring_orders as "recurringOrders",
    amount(this.revenue / this.orders) as "averageTicket",
    amount(this.contribution) as "contribution",
    amount(this.contribution - this.investment) as "contributionProfit",
    amount(this.investment / this.orders) as "cpv",
    amount(this.investment / nullif(this.recurring_orders, 0)) as "cpr",
    amount(this.cac) as "cac",
    amount(this.ltv) as "ltv",
    amount(this.ltv_lifetime) as "ltvLifetime",
    amount(this.retention_ltv) as "retentionLtv",
    ratio(this.ltv / nullif(this.cac, 0)) as "ltvCacRatio",
    ratio((this.contribution - this.investment) / nullif(this.investment, 0)) as "roi",
    amount(this.ltv - this.cac) as "clv",
    amount(this.payback) as "payback",
    amount(this.acquisition_investment / nullif(this.new_customers, 0)) as "campaignCac",
    amount(this.acquisition_investment) as "acquisitionInvestment",
    this.acquisition_new_customers as "acquisitionNewCustomers",
    amount(this.acquisition_cac) as "acquisitionCac",
    amount(this.acquisition_contribution) as "acquisitionContribution",
    amount(this.acquisition_ltv) as "acquisitionLtv",
    ratio(this.acquisition_ltv / nullif(this.acquisition_cac, 0)) as "acquisitionLtvCacRatio",
    ratio((this.acquisition_contribution - this.acquisition_investment) / nullif(this.acquisition_investment, 0)) as "acquisitionRoi",
    amount(this.brand_investment) as "brandInvestment",
    round(this.brand_impressions) as "brandImpressions",
    this.brand_new_customers as "brandNewCustomers",
    amount(this.brand_contribution) as "brandContribution",
    ratio((this.brand_contribution - this.brand_investment) / nullif(this.brand_investment, 0)) as "brandRoi",
    amount(this.monetization_investment) as "monetizationInvestment",
    amount(this.monetization_contribution) as "monetizationContribution",
    ratio((this.monetization_contribution - this.monetization_investment) / nullif(this.monetization_investment, 0)) as "monetizationRoi",
    this.monetization_recurring_customers as "monetizationRecurringCustomers",
    amount(this.monetization_investment / nullif(this.monetization_recurring_orders, 0)) as "monetizationCpr",
    amount(this.unclassified_investment) as "unclassifiedInvestment",
    amount(this.cogs) as "cogs",
    amount(this.revenue_with_cost) as "revenueWithCmv",
    amount(this.revenue - this.revenue_with_cost) as "revenueWithoutCmv",
    amount(this.blended_contribution) as "blendedContribution",
    amount(previous.revenue) as "previous.revenue",
    amount(previous.investment) as "previous.investment",
    previous.orders as "previous.orders",
    previous.new_customers as "previous.newCustomers",
    previous.recurring_customers as "previous.recurringCustomers",
    previous.new_customers + previous.recurring_customers as "previous.customers",
    previous.recurring_orders as "previous.recurringOrders",
    amount(previous.revenue / previous.orders) as "previous.averageTicket",
    amount(previous.contribution) as "previous.contribution",
    amount(previous.contribution - previous.investment) as "previous.contributionProfit",
    amount(previous.investment / previous.orders) as "previous.cpv",
    amount(previous.investment / nullif(previous.recurring_orders, 0)) as "previous.cpr",
    amount(previous.cac) as "previous.cac",
    amount(previous.ltv_before) as "previous.ltv",
    amount(previous.ltv_lifetime) as "previous.ltvLifetime",
    amount(previous.retention_ltv_before) as "previous.retentionLtv",
    ratio(previous.ltv / nullif(previous.cac, 0)) as "previous.ltvCacRatio",
    ratio((previous.contribution - previous.investment) / nullif(previous.investment, 0)) as "previous.roi",
    amount(previous.ltv - previous.cac) as "previous.clv",
    amount(previous.payback) as "previous.payback",
    amount(previous.acquisition_investment / nullif(previous.new_customers, 0)) as "previous.campaignCac",
    amount(previous.acquisition_investment) as "previous.acquisitionInvestment",
    previous.acquisition_new_customers as "previous.acquisitionNewCustomers",
    amount(previous.acquisition_cac) as "previous.acquisitionCac",
    amount(previous.acquisition_contribution) as "previous.acquisitionContribution",
    amount(previous.acquisition_ltv) as "previous.acquisitionLtv",
    ratio(previous.acquisition_ltv / nullif(previous.acquisition_cac, 0)) as "previous.acquisitionLtvCacRatio",
    ratio((previous.acquisition_contribution - previous.acquisition_investment) / nullif(previous.acquisition_investment, 0)) as "previous.acquisitionRoi",
    amount(previous.brand_investment) as "previous.brandInvestment",
    round(previous.brand_impressions) as "previous.brandImpressions",
    previous.brand_new_customers as "previous.brandNewCustomers",
    amount(previous.brand_contribution) as "previous.brandContribution",
    ratio((previous.brand_contribution - previous.brand_investment) / nullif(previous.brand_investment, 0)) as "previous.brandRoi",
    amount(previous.monetization_investment) as "previous.monetizationInvestment",
    amount(previous.monetization_contribution) as "previous.monetizationContribution",
    ratio((previous.monetization_contribution - previous.monetization_investment) / nullif(previous.monetization_investment, 0)) as "previous.monetizationRoi",
    previous.monetization_recurring_customers as "previous.monetizationRecurringCustomers",
    amount(previous.monetization_investment / nullif(previous.monetization_recurring_orders, 0)) as "previous.monetizationCpr",
    amount(previous.unclassified_investment) as "previous.unclassifiedInvestment",
    amount(previous.cogs) as "previous.cogs",
    amount(previous.revenue_with_cost) as "previous.revenueWithCmv",
    amount(previous.revenue - previous.revenue_with_cost) as "previous.revenueWithoutCmv",
    amount(previous.blended_contribution) as "previous.blendedContribution",
    amount(100.0 * (this.revenue - previous.revenue) / nullif(previous.revenue, 0)) as "change.revenue",
    amount(100.0 * (this.investment - previous.investment) / nullif(previous.investment, 0)) as "change.investment",
    amount(100.0 * (this.orders - previous.orders) / nullif(previous.orders, 0)) as "change.orders",
    amount(100.0 * (this.new_customers - previous.new_customers) / nullif(previous.new_customers, 0)) as "change.newCustomers",
    amount(100.0 * (this.recurring_customers - previous.recurring_customers) / nullif(previous.recurring_customers, 0)) as "change.recurringCustomers",
    amount(100.0 * (this.recurring_orders - previous.recurring_orders) / nullif(previous.recurring_orders, 0)) as "change.recurringOrders",
    amount(100.0 * (this.contribution - previous.contribution) / nullif(previous.contribution, 0)) as "change.contribution",
    amount(100.0 * (this.cac - previous.cac) / nullif(previous.cac, 0)) as "change.cac"
from averages as this
cross join averages as previous
where this.window_no = 1 and previous.window_no = 2
