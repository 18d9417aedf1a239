-- The indicators month by month of a period.

with
    {start_date:Date} as first_day,
    {end_date:Date} as last_day,
    (select margin_rate from organization) as margin,
    (select is_configured from organization) as is_configured,

    month_orders as (
        select
            toStartOfMonth(ordered_on) as month_on,
            sum(daily_orders.orders) as orders,
            sum(revenue) as month_revenue,
            sum(cost) as cogs,
            sum(daily_orders.revenue_with_cost) as revenue_with_cost
        from daily_orders
        where ordered_on between first_day and last_day
        group by month_on
    ),

    month_customers as (
        select first_month as month_on, sum(customers) as new_customers, sum(revenue) as revenue_to_date
        from daily_acquisitions
        where first_on between first_day and last_day
        group by month_on
    ),

    month_spend as (
        select spent_month as month_on, sum(spend) as investment
        from daily_spend
        where spent_on between first_day and last_day
        group by month_on
    ),

    months as (
        select addMonths(toStartOfMonth(first_day), number) as month_on
        from numbers(dateDiff('month', first_day, last_day) + 1)
    )

select
    month_on as "month",
    money(month_revenue) as "totalRevenue",
    orders as "totalOrders",
    money(investment) as "totalInvestment",
    new_customers as "newCustomers",
    money(ifNull(per(investment, new_customers), 0)) as cac,
    money(per(revenue_to_date * margin, new_customers)) as ltv,
    money(ifNull(per(investment, orders), 0)) as cpv,
    ratio(ifNull(per(revenue_to_date * margin, investment), 0)) as "ltvCacRatio",
    money(cogs) as cogs,
    money(revenue_with_cost) as "revenueWithCmv",
    money(month_revenue - revenue_with_cost) as "revenueWithoutCmv",
    multiIf(
        month_revenue = 0, 'no_basis',
        revenue_with_cost = month_revenue, 'cmv_real',
        revenue_with_cost <> 0, 'mixed',
        is_configured, 'configured_percent',
        'no_basis'
    ) as "marginBasis",
    money(revenue_with_cost - month_orders.cogs + (month_revenue - revenue_with_cost) * margin) as "blendedContribution"
from months
left join month_orders using (month_on)
left join month_customers using (month_on)
left join month_spend using (month_on)
order by month_on
