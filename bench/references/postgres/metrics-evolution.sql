-- The indicators month by month of a period.

with

month_orders as (

    select
        date_trunc('month', ordered_on)::date as month_on,
        sum(orders) as orders,
        sum(revenue) as revenue,
        sum(cost) as cogs,
        sum(revenue_with_cost) as revenue_with_cost
    from daily_orders
    where ordered_on between $start_date::date and $end_date::date
    group by 1

),

month_customers as (

    select first_month as month_on, sum(customers) as customers, sum(revenue) as revenue
    from daily_acquisitions
    where first_on between $start_date::date and $end_date::date
    group by 1

),

month_spend as (

    select spent_month as month_on, sum(spend) as spend
    from daily_spend
    where spent_on between $start_date::date and $end_date::date
    group by 1

),

figures as (

    select
        months.month_on::date as month_on,
        organization.margin_rate,
        organization.is_configured,
        coalesce(month_orders.orders, 0) as orders,
        coalesce(month_orders.revenue, 0) as revenue,
        coalesce(month_orders.cogs, 0) as cogs,
        coalesce(month_orders.revenue_with_cost, 0) as revenue_with_cost,
        coalesce(month_spend.spend, 0) as spend,
        coalesce(month_customers.customers, 0) as new_customers,
        month_customers.revenue * organization.margin_rate as contribution_to_date
    from generate_series(
        date_trunc('month', $start_date::timestamp), $end_date::timestamp, interval '1 month'
    ) as months (month_on)
    cross join organization
    left join month_orders on month_orders.month_on = months.month_on::date
    left join month_customers on month_customers.month_on = months.month_on::date
    left join month_spend on month_spend.month_on = months.month_on::date

)

select
    month_on as "month",
    amount(revenue) as "totalRevenue",
    orders as "totalOrders",
    amount(spend) as "totalInvestment",
    new_customers as "newCustomers",
    amount(coalesce(spend / nullif(new_customers, 0), 0)) as cac,
    amount(contribution_to_date / nullif(new_customers, 0)) as ltv,
    amount(coalesce(spend / nullif(orders, 0), 0)) as cpv,
    ratio(coalesce(contribution_to_date / nullif(spend, 0), 0)) as "ltvCacRatio",
    amount(cogs) as cogs,
    amount(revenue_with_cost) as "revenueWithCmv",
    amount(revenue - revenue_with_cost) as "revenueWithoutCmv",
    case
        when revenue = 0 then 'no_basis'
        when revenue_with_cost = revenue then 'cmv_real'
        when revenue_with_cost <> 0 then 'mixed'
        when is_configured then 'configured_percent'
        else 'no_basis'
    end as "marginBasis",
    amount(revenue_with_cost - cogs + (revenue - revenue_with_cost) * margin_rate) as "blendedContribution"
from figures
order by month_on
