-- The indicators month by month of a period.

with

month_orders as (

    select
        month_of(ordered_on) as month_on,
        sum(orders) as orders,
        sum(revenue) as revenue,
        sum(cost) as cogs,
        sum(revenue_with_cost) as revenue_with_cost
    from daily_orders
    where ordered_on between $start_date and $end_date
    group by month_on

),

month_customers as (

    select first_month as month_on, sum(customers) as new_customers, sum(revenue) as revenue_to_date
    from daily_acquisitions
    where first_on between $start_date and $end_date
    group by month_on

),

month_spend as (

    select spent_month as month_on, sum(spend) as spend
    from daily_spend
    where spent_on between $start_date and $end_date
    group by month_on

),

months as (

    select months_after(month_of($start_date), month_no) as month_on, margin_rate, is_configured
    from organization
    {{steps: month_no | months_between($start_date, $end_date)}}

),

figures as (

    select
        month_on,
        margin_rate,
        is_configured,
        coalesce(orders, 0) as orders,
        coalesce(revenue, 0) as revenue,
        coalesce(cogs, 0) as cogs,
        coalesce(revenue_with_cost, 0) as revenue_with_cost,
        coalesce(spend, 0) as spend,
        coalesce(new_customers, 0) as new_customers,
        revenue_to_date * margin_rate as contribution_to_date
    from months
    left join month_orders using (month_on)
    left join month_customers using (month_on)
    left join month_spend using (month_on)

)

select
    month_on as "month",
    amount(revenue) as "totalRevenue",
    orders as "totalOrders",
    amount(spend) as "totalInvestment",
    new_customers as "newCustomers",
    amount(coalesce(per(spend, new_customers), 0)) as cac,
    amount(per(contribution_to_date, new_customers)) as ltv,
    amount(coalesce(per(spend, orders), 0)) as cpv,
    ratio(coalesce(per(contribution_to_date, spend), 0)) as "ltvCacRatio",
    amount(cogs) as cogs,
    amount(revenue_with_cost) as "revenueWithCmv",
    amount(revenue - revenue_with_cost) as "revenueWithoutCmv",
    {{margin_basis}} as "marginBasis",
    amount(revenue_with_cost - cogs + (revenue - revenue_with_cost) * margin_rate) as "blendedContribution"
from figures
order by month_on
