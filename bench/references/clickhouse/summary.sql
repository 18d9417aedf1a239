-- The cost of acquiring customers in a period, and in the period before it.

with
    {start_date:Date} as first_day,
    {end_date:Date} as last_day,
    toDate(first_day - (last_day - first_day + 1)) as previous_first_day,
    (select margin_rate from organization) as margin,

    order_totals as (
        select
            ordered_on >= first_day as is_present,
            sumIf(revenue, first_on >= if(ordered_on >= first_day, first_day, previous_first_day)) as acquisition_revenue
        from orders
        where ordered_on between previous_first_day and last_day and first_strategy = 'acquisition'
        group by is_present
    ),

    customer_totals as (
        select
            first_on >= first_day as is_present,
            count() as new_customers,
            countIf(strategy = 'acquisition') as acquisition_new_customers,
            sumIf(revenue, strategy = 'acquisition') as acquisition_revenue_to_date
        from customers
        where first_on between previous_first_day and last_day
        group by is_present
    ),

    spend_totals as (
        select
            spent_on >= first_day as is_present,
            sum(spend) as investment,
            sumIf(spend, strategy = 'acquisition') as acquisition_investment
        from media_spend
        where spent_on between previous_first_day and last_day
        group by is_present
    ),

    accumulated as (
        select first_month, month_no, sum(month_revenue) over (partition by first_month order by month_no) as revenue_so_far
        from (
            select first_month, months_between(first_month, ordered_month) as month_no, sum(revenue) as month_revenue
            from orders
            where first_on between first_day and last_day and first_strategy = 'acquisition'
            group by first_month, month_no
        )
    ),

    month_spend as (
        select toStartOfMonth(spent_on) as first_month, sum(spend) as spend_of_month
        from media_spend
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
        select first_month, count() as acquired
        from customers
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
            per(ltv, cac) as ltv_cac_ratio,
            if(
                acquisition_new_customers = 0,
                null,
                per(acquisition_revenue * margin - acquisition_investment, acquisition_investment)
            ) as roi
        from order_totals
        join customer_totals using (is_present)
        join spend_totals using (is_present)
    )

select
    money(present.investment) as "investment.value",
    money(100 * per(toFloat64(present.investment) - toFloat64(previous.investment), previous.investment)) as "investment.changePct",
    money(present.acquisition_investment) as "acquisitionInvestment.value",
    money(100 * per(toFloat64(present.acquisition_investment) - toFloat64(previous.acquisition_investment), previous.acquisition_investment)) as "acquisitionInvestment.changePct",
    present.acquisition_new_customers as "acquisitionNewCustomers.value",
    money(100 * per(toFloat64(present.acquisition_new_customers) - toFloat64(previous.acquisition_new_customers), previous.acquisition_new_customers)) as "acquisitionNewCustomers.changePct",
    present.new_customers as "newCustomers.value",
    money(100 * per(toFloat64(present.new_customers) - toFloat64(previous.new_customers), previous.new_customers)) as "newCustomers.changePct",
    money(present.cac) as "cac.value",
    money(100 * per(toFloat64(present.cac) - toFloat64(previous.cac), previous.cac)) as "cac.changePct",
    money(present.ltv) as "acquisitionAvgLtv.value",
    money(100 * per(toFloat64(present.ltv) - toFloat64(previous.ltv), previous.ltv)) as "acquisitionAvgLtv.changePct",
    ratio(present.ltv_cac_ratio) as "acquisitionLtvCacRatio.value",
    money(100 * per(toFloat64(present.ltv_cac_ratio) - toFloat64(previous.ltv_cac_ratio), previous.ltv_cac_ratio)) as "acquisitionLtvCacRatio.changePct",
    ratio(present.roi) as "acquisitionRoi.value",
    money(100 * per(toFloat64(present.roi) - toFloat64(previous.roi), previous.roi)) as "acquisitionRoi.changePct",
    money(payback) as "paybackMonths.value",
    (select has_acquisition_classification from organization) as "hasAcquisitionClassification"
from (select * from figures where is_present) as present
cross join (select * from figures where not is_present) as previous
