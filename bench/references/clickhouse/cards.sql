-- Indicators of a period and of the period before it.
-- Both periods are read in one pass; distinct customers are exact, in bitmaps of their numbers.

with
    {start_date:Date} as first_day,
    {end_date:Date} as last_day,
    toDate(first_day - (last_day - first_day + 1)) as previous_first_day,
    (select margin_rate from organization) as margin,

    -- All customers, and those acquired before the period.
    (
        select tuple(
            per(sum(revenue) * margin, count()),
            per(sumIf(revenue, first_on < first_day) * margin, countIf(first_on < first_day)),
            per(sumIf(retention_revenue, first_on < first_day) * margin, countIf(first_on < first_day))
        )
        from customers
    ) as lifetimes,
    lifetimes.1 as ltv_lifetime,
    lifetimes.2 as ltv_before,
    lifetimes.3 as retention_ltv_before,

    order_totals as (
        select
            ordered_on >= first_day as is_present,
            count() as orders,
            countIf(is_recurring) as recurring_orders,
            groupBitmapIf(customer_no, customer_no <> 0 and first_on < if(ordered_on >= first_day, first_day, previous_first_day))
                as recurring_customers,
            sum(revenue) as order_revenue,
            sumIf(cost, has_real_cost) as cogs,
            sumIf(revenue, has_real_cost) as revenue_with_cost,
            sumIf(
                revenue, first_strategy = 'acquisition' and first_on >= if(ordered_on >= first_day, first_day, previous_first_day)
            ) as acquisition_revenue,
            sumIf(
                revenue, first_strategy = 'brand' and first_on >= if(ordered_on >= first_day, first_day, previous_first_day)
            ) as brand_revenue,
            sumIf(revenue, strategy = 'monetization') as monetization_revenue,
            countIf(strategy = 'monetization' and is_recurring) as monetization_recurring_orders,
            groupBitmapIf(customer_no, strategy = 'monetization' and is_recurring) as monetization_recurring_customers
        from orders
        where ordered_on between previous_first_day and last_day
        group by is_present
    ),

    customer_totals as (
        select
            first_on >= first_day as is_present,
            count() as new_customers,
            sum(revenue) as revenue_to_date,
            sum(retention_revenue) as retained_revenue,
            countIf(strategy = 'acquisition') as acquisition_new_customers,
            sumIf(revenue, strategy = 'acquisition') as acquisition_revenue_to_date,
            countIf(strategy = 'brand') as brand_new_customers
        from customers
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
        from media_spend
        where spent_on between previous_first_day and last_day
        group by is_present
    ),

    -- Months until the margin of the customers acquired in a month covers the spend of that month, weighted by customers.
    accumulated as (
        select
            is_present,
            first_month,
            month_no,
            sum(month_revenue) over (partition by is_present, first_month order by month_no) as revenue_so_far
        from (
            select
                first_on >= first_day as is_present,
                first_month,
                months_between(first_month, ordered_month) as month_no,
                sum(revenue) as month_revenue
            from orders
            where first_on between previous_first_day and last_day
            group by is_present, first_month, month_no
        )
    ),

    month_spend as (
        select spent_on >= first_day as is_present, toStartOfMonth(spent_on) as first_month, sum(spend) as spend_of_month
        from media_spend
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
        select first_on >= first_day as is_present, first_month, count() as acquired
        from customers
        where first_on between previous_first_day and last_day
        group by is_present, first_month
    ),

    paybacks as (
        select is_present, per(sum(months * acquired), sum(acquired)) as payback
        from paid_back
        join month_customers using (is_present, first_month)
        group by is_present
    ),

    averages as (
        select
            *,
            order_revenue * margin as contribution,
            acquisition_revenue * margin as acquisition_contribution,
            brand_revenue * margin as brand_contribution,
            monetization_revenue * margin as monetization_contribution,
            per(investment, new_customers) as cac,
            per(acquisition_investment, acquisition_new_customers) as acquisition_cac,
            per(revenue_to_date * margin, new_customers) as ltv,
            per(retained_revenue * margin, new_customers) as retention_ltv,
            per(acquisition_revenue_to_date * margin, acquisition_new_customers) as acquisition_ltv
        from order_totals
        join customer_totals using (is_present)
        join spend_totals using (is_present)
        left join paybacks using (is_present)
    )

select
    money(present.order_revenue) as "revenue",
    money(present.investment) as "investment",
    present.orders as "orders",
    present.new_customers as "newCustomers",
    present.recurring_customers as "recurringCustomers",
    present.new_customers + present.recurring_customers as "customers",
    present.recurring_orders as "recurringOrders",
    money(per(present.order_revenue, present.orders)) as "averageTicket",
    money(present.contribution) as "contribution",
    money(present.contribution - present.investment) as "contributionProfit",
    money(per(present.investment, present.orders)) as "cpv",
    money(per(present.investment, present.recurring_orders)) as "cpr",
    money(present.cac) as "cac",
    money(present.ltv) as "ltv",
    money(ltv_lifetime) as "ltvLifetime",
    money(present.retention_ltv) as "retentionLtv",
    ratio(per(present.ltv, present.cac)) as "ltvCacRatio",
    ratio(per(present.contribution - present.investment, present.investment)) as "roi",
    money(present.ltv - present.cac) as "clv",
    money(present.payback) as "payback",
    money(per(present.acquisition_investment, present.new_customers)) as "campaignCac",
    money(present.acquisition_investment) as "acquisitionInvestment",
    present.acquisition_new_customers as "acquisitionNewCustomers",
    money(present.acquisition_cac) as "acquisitionCac",
    money(present.acquisition_contribution) as "acquisitionContribution",
    money(present.acquisition_ltv) as "acquisitionLtv",
    ratio(per(present.acquisition_ltv, present.acquisition_cac)) as "acquisitionLtvCacRatio",
    ratio(per(present.acquisition_contribution - present.acquisition_investment, present.acquisition_investment)) as "acquisitionRoi",
    money(present.brand_investment) as "brandInvestment",
    toInt64(round(present.brand_impressions)) as "brandImpressions",
    present.brand_new_customers as "brandNewCustomers",
    money(present.brand_contribution) as "brandContribution",
    ratio(per(present.brand_contribution - present.brand_investment, present.brand_investment)) as "brandRoi",
    money(present.monetization_investment) as "monetizationInvestment",
    money(present.monetization_contribution) as "monetizationContribution",
    ratio(per(present.monetization_contribution - present.monetization_investment, present.monetization_investment)) as "monetizationRoi",
    present.monetization_recurring_customers as "monetizationRecurringCustomers",
    money(per(present.monetization_investment, present.monetization_recurring_orders)) as "monetizationCpr",
    money(present.unclassified_investment) as "unclassifiedInvestment",
    money(present.cogs) as "cogs",
    money(present.revenue_with_cost) as "revenueWithCmv",
    money(present.order_revenue - present.revenue_with_cost) as "revenueWithoutCmv",
    money(present.revenue_with_cost - present.cogs + (present.order_revenue - present.revenue_with_cost) * margin) as "blendedContribution",
    money(previous.order_revenue) as "previous.revenue",
    money(previous.investment) as "previous.investment",
    previous.orders as "previous.orders",
    previous.new_customers as "previous.newCustomers",
    previous.recurring_customers as "previous.recurringCustomers",
    previous.new_customers + previous.recurring_customers as "previous.customers",
    previous.recurring_orders as "previous.recurringOrders",
    money(per(previous.order_revenue, previous.orders)) as "previous.averageTicket",
    money(previous.contribution) as "previous.contribution",
    money(previous.contribution - previous.investment) as "previous.contributionProfit",
    money(per(previous.investment, previous.orders)) as "previous.cpv",
    money(per(previous.investment, previous.recurring_orders)) as "previous.cpr",
    money(previous.cac) as "previous.cac",
    money(ltv_before) as "previous.ltv",
    money(ltv_lifetime) as "previous.ltvLifetime",
    money(retention_ltv_before) as "previous.retentionLtv",
    ratio(per(previous.ltv, previous.cac)) as "previous.ltvCacRatio",
    ratio(per(previous.contribution - previous.investment, previous.investment)) as "previous.roi",
    money(previous.ltv - previous.cac) as "previous.clv",
    money(previous.payback) as "previous.payback",
    money(per(previous.acquisition_investment, previous.new_customers)) as "previous.campaignCac",
    money(previous.acquisition_investment) as "previous.acquisitionInvestment",
    previous.acquisition_new_customers as "previous.acquisitionNewCustomers",
    money(previous.acquisition_cac) as "previous.acquisitionCac",
    money(previous.acquisition_contribution) as "previous.acquisitionContribution",
    money(previous.acquisition_ltv) as "previous.acquisitionLtv",
    ratio(per(previous.acquisition_ltv, previous.acquisition_cac)) as "previous.acquisitionLtvCacRatio",
    ratio(per(previous.acquisition_contribution - previous.acquisition_investment, previous.acquisition_investment)) as "previous.acquisitionRoi",
    money(previous.brand_investment) as "previous.brandInvestment",
    toInt64(round(previous.brand_impressions)) as "previous.brandImpressions",
    previous.brand_new_customers as "previous.brandNewCustomers",
    money(previous.brand_contribution) as "previous.brandContribution",
    ratio(per(previous.brand_contribution - previous.brand_investment, previous.brand_investment)) as "previous.brandRoi",
    money(previous.monetization_investment) as "previous.monetizationInvestment",
    money(previous.monetization_contribution) as "previous.monetizationContribution",
    ratio(per(previous.monetization_contribution - previous.monetization_investment, previous.monetization_investment)) as "previous.monetizationRoi",
    previous.monetization_recurring_customers as "previous.monetizationRecurringCustomers",
    money(per(previous.monetization_investment, previous.monetization_recurring_orders)) as "previous.monetizationCpr",
    money(previous.unclassified_investment) as "previous.unclassifiedInvestment",
    money(previous.cogs) as "previous.cogs",
    money(previous.revenue_with_cost) as "previous.revenueWithCmv",
    money(previous.order_revenue - previous.revenue_with_cost) as "previous.revenueWithoutCmv",
    money(previous.revenue_with_cost - previous.cogs + (previous.order_revenue - previous.revenue_with_cost) * margin) as "previous.blendedContribution",
    money(100 * per(toFloat64(present.order_revenue) - toFloat64(previous.order_revenue), previous.order_revenue)) as "change.revenue",
    money(100 * per(toFloat64(present.investment) - toFloat64(previous.investment), previous.investment)) as "change.investment",
    money(100 * per(toFloat64(present.orders) - toFloat64(previous.orders), previous.orders)) as "change.orders",
    money(100 * per(toFloat64(present.new_customers) - toFloat64(previous.new_customers), previous.new_customers)) as "change.newCustomers",
    money(100 * per(toFloat64(present.recurring_customers) - toFloat64(previous.recurring_customers), previous.recurring_customers)) as "change.recurringCustomers",
    money(100 * per(toFloat64(present.recurring_orders) - toFloat64(previous.recurring_orders), previous.recurring_orders)) as "change.recurringOrders",
    money(100 * per(toFloat64(present.contribution) - toFloat64(previous.contribution), previous.contribution)) as "change.contribution",
    money(100 * per(toFloat64(present.cac) - toFloat64(previous.cac), previous.cac)) as "change.cac"
from (select * from averages where is_present) as present
cross join (select * from averages where not is_present) as previous
