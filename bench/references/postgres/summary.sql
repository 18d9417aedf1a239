-- The cost of acquiring customers in a period, and in the period before it.

with

windows (window_no, first_on, last_on) as (

    values
        (1, $start_date::date, $end_date::date),
        (2, $start_date::date - ($end_date::date - $start_date::date + 1), $start_date::date - 1)

),

order_totals as (

    select 1 as window_no, sum(revenue) as acquisition_revenue
    from orders
    where ordered_on between $start_date::date and $end_date::date
        and first_strategy = 'acquisition'
        and first_on between $start_date::date and $end_date::date
    union all
    select 2, sum(revenue)
    from orders
    where ordered_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $start_date::date - 1
        and first_strategy = 'acquisition'
        and first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $start_date::date - 1

),

customer_totals as (

    select
        case when first_on >= $start_date::date then 1 else 2 end as window_no,
        sum(customers) as new_customers,
        sum(customers) filter (where strategy = 'acquisition') as acquisition_new_customers,
        sum(revenue) filter (where strategy = 'acquisition') as acquisition_revenue_to_date
    from daily_acquisitions
    where first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

spend_totals as (

    select
        case when spent_on >= $start_date::date then 1 else 2 end as window_no,
        sum(spend) as investment,
        sum(spend) filter (where strategy = 'acquisition') as acquisition_investment
    from daily_spend
    where spent_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

accumulated as (

    select first_month, month_no, sum(revenue) over (partition by first_month order by month_no) as revenue
    from (
        select first_month, month_no, sum(revenue) as revenue
        from daily_cohorts
        where first_on between $start_date::date and $end_date::date and strategy = 'acquisition'
        group by 1, 2
    ) as month_revenue

),

month_spend as (

    select spent_month as first_month, sum(spend) as spend
    from daily_spend
    where spent_on between $start_date::date and $end_date::date and strategy = 'acquisition'
    group by 1

),

paid_back as (

    select first_month, min(month_no) as months
    from accumulated
    join month_spend using (first_month)
    where month_spend.spend > 0
        and accumulated.revenue * (select margin_rate from organization) >= month_spend.spend
    group by 1

),

month_customers as (

    select first_month, sum(customers) as customers
    from daily_acquisitions
    where first_on between $start_date::date and $end_date::date and strategy = 'acquisition'
    group by 1

),

payback as (

    select sum(paid_back.months * month_customers.customers)::numeric / nullif(sum(month_customers.customers), 0) as months
    from paid_back
    join month_customers using (first_month)

),

totals as (

    select
        windows.*,
        organization.margin_rate,
        coalesce(spend_totals.investment, 0) as investment,
        coalesce(spend_totals.acquisition_investment, 0) as acquisition_investment,
        coalesce(customer_totals.new_customers, 0) as new_customers,
        coalesce(customer_totals.acquisition_new_customers, 0) as acquisition_new_customers,
        customer_totals.acquisition_revenue_to_date * organization.margin_rate as contribution_to_date,
        coalesce(order_totals.acquisition_revenue, 0) * organization.margin_rate as contribution
    from windows
    cross join organization
    left join order_totals using (window_no)
    left join customer_totals using (window_no)
    left join spend_totals using (window_no)

),

figures as (

    select
        *,
        nullif(acquisition_investment, 0) / nullif(acquisition_new_customers, 0) as cac,
        case when acquisition_investment <> 0 then contribution_to_date / nullif(acquisition_new_customers, 0) end as ltv,
        contribution_to_date / nullif(acquisition_investment, 0) as ltv_cac_ratio,
        case
            when acquisition_new_customers > 0
                then (contribution - acquisition_investment) / nullif(acquisition_investment, 0)
        end as roi
    from totals

)

select
    this.first_on as "period.startDate",
    this.last_on as "period.endDate",
    previous.first_on as "previousPeriod.startDate",
    previous.last_on as "previousPeriod.endDate",
    instant_text(organization.as_of) as "asOf",
    organization.margin_percent as "marginPercent",
    organization.is_configured as "marginConfigured",
    organization.completeness as "marginCompleteness",
    organization.gateway_status as "marginItemStatus.gateway",
    organization.tax_status as "marginItemStatus.tax",
    organization.shipping_status as "marginItemStatus.shipping",
    organization.cost_of_goods_status as "marginItemStatus.costOfGoods",
    amount(this.investment) as "investment.value",
    change(this.investment, previous.investment) as "investment.changePct",
    amount(this.acquisition_investment) as "acquisitionInvestment.value",
    change(this.acquisition_investment, previous.acquisition_investment) as "acquisitionInvestment.changePct",
    this.acquisition_new_customers as "acquisitionNewCustomers.value",
    change(this.acquisition_new_customers, previous.acquisition_new_customers) as "acquisitionNewCustomers.changePct",
    this.new_customers as "newCustomers.value",
    change(this.new_customers, previous.new_customers) as "newCustomers.changePct",
    amount(this.cac) as "cac.value",
    change(this.cac, previous.cac) as "cac.changePct",
    amount(this.ltv) as "acquisitionAvgLtv.value",
    change(this.ltv, previous.ltv) as "acquisitionAvgLtv.changePct",
    ratio(this.ltv_cac_ratio) as "acquisitionLtvCacRatio.value",
    change(this.ltv_cac_ratio, previous.ltv_cac_ratio) as "acquisitionLtvCacRatio.changePct",
    ratio(this.roi) as "acquisitionRoi.value",
    change(this.roi, previous.roi) as "acquisitionRoi.changePct",
    amount((select months from payback)) as "paybackMonths.value",
    null::numeric as "paybackMonths.changePct",
    organization.has_acquisition_classification as "hasAcquisitionClassification"
from figures as this
cross join figures as previous
cross join organization
where this.window_no = 1 and previous.window_no = 2
