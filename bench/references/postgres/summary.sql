-- The cost of acquiring customers in a period, and in the period before it.

with

order_totals as (

    select case when ordered_on >= $start_date::date then 1 else 2 end as window_no, sum(revenue) as acquisition_revenue
    from orders
    where ordered_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
        and first_strategy = 'acquisition'
        and first_on between
            case
                when ordered_on >= $start_date::date then $start_date::date
                else $start_date::date - ($end_date::date - $start_date::date + 1)
            end
            and case when ordered_on >= $start_date::date then $end_date::date else $start_date::date - 1 end
    group by 1

),

customer_totals as (

    select
        case when first_on >= $start_date::date then 1 else 2 end as window_no,
        count(*) as new_customers,
        count(*) filter (where strategy = 'acquisition') as acquisition_new_customers,
        sum(revenue) filter (where strategy = 'acquisition') as acquisition_revenue_to_date
    from customers
    where first_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

spend_totals as (

    select
        case when spent_on >= $start_date::date then 1 else 2 end as window_no,
        sum(spend) as investment,
        coalesce(sum(spend) filter (where strategy = 'acquisition'), 0) as acquisition_investment
    from media_spend
    where spent_on between $start_date::date - ($end_date::date - $start_date::date + 1) and $end_date::date
    group by 1

),

month_revenue as (

    select first_month, greatest(ordered_month, first_month) as bought_month, sum(revenue) as revenue
    from orders
    where first_on between $start_date::date and $end_date::date and first_strategy = 'acquisition'
    group by 1, 2

),

accumulated as (

    select first_month, bought_month, sum(revenue) over (partition by first_month order by bought_month) as revenue
    from month_revenue

),

month_spend as (

    select date_trunc('month', spent_on)::date as first_month, sum(spend) as spend
    from media_spend
    where spent_on between $start_date::date and $end_date::date and strategy = 'acquisition'
    group by 1

),

paid_back as (

    select
        first_month,
        min(
            12 * (extract(year from bought_month) - extract(year from first_month))
            + extract(month from bought_month) - extract(month from first_month)
        ) as months
    from accumulated
    join month_spend using (first_month)
    where month_spend.spend > 0
        and accumulated.revenue * (select margin_rate from organization) >= month_spend.spend
    group by 1

),

month_customers as (

    select first_month, count(*) as customers
    from customers
    where first_on between $start_date::date and $end_date::date and strategy = 'acquisition'
    group by 1

),

payback as (

    select sum(paid_back.months * month_customers.customers) / nullif(sum(month_customers.customers), 0) as months
    from paid_back
    join month_customers using (first_month)

),

figures as (

    select
        window_no,
        spend_totals.investment,
        spend_totals.acquisition_investment,
        customer_totals.new_customers,
        customer_totals.acquisition_new_customers,
        nullif(spend_totals.acquisition_investment, 0) / nullif(customer_totals.acquisition_new_customers, 0) as cac,
        case when spend_totals.acquisition_investment <> 0 then
            customer_totals.acquisition_revenue_to_date * organization.margin_rate
                / nullif(customer_totals.acquisition_new_customers, 0)
        end as ltv,
        case when customer_totals.acquisition_new_customers > 0 then
            (order_totals.acquisition_revenue * organization.margin_rate - spend_totals.acquisition_investment)
                / nullif(spend_totals.acquisition_investment, 0)
        end as roi,
        organization.has_acquisition_classification
    from customer_totals
    join spend_totals using (window_no)
    join order_totals using (window_no)
    cross join organization

)

select
    amount(this.investment) as "investment.value",
    amount(100.0 * (this.investment - previous.investment) / nullif(previous.investment, 0)) as "investment.changePct",
    amount(this.acquisition_investment) as "acquisitionInvestment.value",
    amount(
        100.0 * (this.acquisition_investment - previous.acquisition_investment) / nullif(previous.acquisition_investment, 0)
    ) as "acquisitionInvestment.changePct",
    this.acquisition_new_customers as "acquisitionNewCustomers.value",
    amount(
        100.0 * (this.acquisition_new_customers - previous.acquisition_new_customers)
            / nullif(previous.acquisition_new_customers, 0)
    ) as "acquisitionNewCustomers.changePct",
    this.new_customers as "newCustomers.value",
    amount(100.0 * (this.new_customers - previous.new_customers) / nullif(previous.new_customers, 0)) as "newCustomers.changePct",
    amount(this.cac) as "cac.value",
    amount(100.0 * (this.cac - previous.cac) / nullif(previous.cac, 0)) as "cac.changePct",
    amount(this.ltv) as "acquisitionAvgLtv.value",
    amount(100.0 * (this.ltv - previous.ltv) / nullif(previous.ltv, 0)) as "acquisitionAvgLtv.changePct",
    ratio(this.ltv / nullif(this.cac, 0)) as "acquisitionLtvCacRatio.value",
    amount(
        100.0 * (this.ltv / nullif(this.cac, 0) - previous.ltv / nullif(previous.cac, 0))
            / nullif(previous.ltv / nullif(previous.cac, 0), 0)
    ) as "acquisitionLtvCacRatio.changePct",
    ratio(this.roi) as "acquisitionRoi.value",
    amount(100.0 * (this.roi - previous.roi) / nullif(previous.roi, 0)) as "acquisitionRoi.changePct",
    amount((select months from payback)) as "paybackMonths.value",
    this.has_acquisition_classification as "hasAcquisitionClassification"
from figures as this
cross join figures as previous
where this.window_no = 1 and previous.window_no = 2
