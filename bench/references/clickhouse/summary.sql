-- The cost of acquiring customers in a period, and in the period before it.

with
    {start_date:Date} as first_day,
    {end_date:Date} as last_day,
    toDate(first_day - (last_day - first_day + 1)) as previous_first_day,
    (select margin_rate from organization) as margin,

    order_totals as (
        select
            ordered_on >= first_day as is_present,
            sumIf(
                revenue,
                first_on between if(ordered_on >= first_day, first_day, previous_first_day)
                    and if(ordered_on >= first_day, last_day, first_day - 1)
            ) as acquisition_revenue
        from orders
        where ordered_on between previous_first_day and last_day and first_strategy = 'acquisition'
        group by is_present
    ),

    customer_totals as (
        select
            first_on >= first_day as is_present,
            sum(customers) as new_customers,
            sumIf(customers, strategy = 'acquisition') as acquisition_new_customers,
            sumIf(revenue, strategy = 'acquisition') as acquisition_revenue_to_date
        from daily_acquisitions
        where first_on between previous_first_day and last_day
        group by is_present
    ),

    spend_totals as (
        select
            spent_on >= first_day as is_present,
            sum(spend) as investment,
            sumIf(spend, strategy = 'acquisition') as acquisition_investment
        from daily_spend
        where spent_on between previous_first_day and last_day
        group by is_present
    ),

    accumulated as (
        select first_month, month_no, sum(month_revenue) over (partition by first_month order by month_no) as revenue_so_far
        from (
            select first_month, month_no, sum(revenue) as month_revenue
            from daily_cohorts
            where first_on between first_day and last_day and strategy = 'acquisition'
            group by first_month, month_no
        )
    ),

    month_spend as (
        select spent_month as first_month, sum(spend) as spend_of_month
        from daily_spend
        where spent_on between first_day and last_day and strategy = 'acquisition'
        group by first_month
    ),

    paid_back as (
        select first_month, min(month_no) as months
        from accumulated
        join month_spend using (first_month)
        where spend_of_month > 0 and revenue_so_far * margin >= spend_of_month
        group by first_month
    ),

    month_customers as (
        select first_month, sum(customers) as acquired
        from daily_acquisitions
        where first_on between first_day and last_day and strategy = 'acquisition'
        group by first_month
    ),

    (
        select per(sum(months * acquired), sum(acquired))
        from paid_back
        join month_customers using (first_month)
    ) as payback,

    figures as (
        select
            *,
            if(acquisition_investment = 0, null, per(acquisition_investment, acquisition_new_customers)) as cac,
            if(acquisition_investment = 0, null, per(acquisition_revenue_to_date * margin, acquisition_new_customers)) as ltv,
            if(acquisition_new_customers = 0, null, per(acquisition_revenue_to_date * margin, acquisition_investment)) as ltv_cac_ratio,
            if(
                acquisition_new_customers = 0,
                null,
                per(acquisition_revenue * margin - acquisition_investment, acquisition_investment)
            ) as roi
        from order_totals
        join customer_totals using (is_present)
        join spend_totals using (is_present)
    ),

    -- Side by side: a query that is named twice runs twice.
    both as (
        select
            anyIf(investment, is_present) as this_investment,
            anyIf(investment, not is_present) as previous_investment,
            anyIf(acquisition_investment, is_present) as this_acquisition_investment,
            anyIf(acquisition_investment, not is_present) as previous_acquisition_investment,
            anyIf(acquisition_new_customers, is_present) as this_acquisition_new_customers,
            anyIf(acquisition_new_customers, not is_present) as previous_acquisition_new_customers,
            anyIf(new_customers, is_present) as this_new_customers,
            anyIf(new_customers, not is_present) as previous_new_customers,
            anyIf(cac, is_present) as this_cac,
            anyIf(cac, not is_present) as previous_cac,
            anyIf(ltv, is_present) as this_ltv,
            anyIf(ltv, not is_present) as previous_ltv,
            anyIf(ltv_cac_ratio, is_present) as this_ltv_cac_ratio,
            anyIf(ltv_cac_ratio, not is_present) as previous_ltv_cac_ratio,
            anyIf(roi, is_present) as this_roi,
            anyIf(roi, not is_present) as previous_roi
        from figures
    )

select
    first_day as "period.startDate",
    last_day as "period.endDate",
    previous_first_day as "previousPeriod.startDate",
    toDate(first_day - 1) as "previousPeriod.endDate",
    instant_text(organization.as_of) as "asOf",
    toFloat64(organization.margin_percent) as "marginPercent",
    organization.is_configured as "marginConfigured",
    organization.completeness as "marginCompleteness",
    organization.gateway_status as "marginItemStatus.gateway",
    organization.tax_status as "marginItemStatus.tax",
    organization.shipping_status as "marginItemStatus.shipping",
    organization.cost_of_goods_status as "marginItemStatus.costOfGoods",
    money(this_investment) as "investment.value",
    change(this_investment, previous_investment) as "investment.changePct",
    money(this_acquisition_investment) as "acquisitionInvestment.value",
    change(this_acquisition_investment, previous_acquisition_investment) as "acquisitionInvestment.changePct",
    this_acquisition_new_customers as "acquisitionNewCustomers.value",
    change(this_acquisition_new_customers, previous_acquisition_new_customers) as "acquisitionNewCustomers.changePct",
    this_new_customers as "newCustomers.value",
    change(this_new_customers, previous_new_customers) as "newCustomers.changePct",
    money(this_cac) as "cac.value",
    change(this_cac, previous_cac) as "cac.changePct",
    money(this_ltv) as "acquisitionAvgLtv.value",
    change(this_ltv, previous_ltv) as "acquisitionAvgLtv.changePct",
    ratio(this_ltv_cac_ratio) as "acquisitionLtvCacRatio.value",
    change(this_ltv_cac_ratio, previous_ltv_cac_ratio) as "acquisitionLtvCacRatio.changePct",
    ratio(this_roi) as "acquisitionRoi.value",
    change(this_roi, previous_roi) as "acquisitionRoi.changePct",
    money(payback) as "paybackMonths.value",
    null as "paybackMonths.changePct",
    organization.has_acquisition_classification as "hasAcquisitionClassification"
from both
cross join organization
