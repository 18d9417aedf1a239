-- Revenue and cost of goods day by day; they add up to the cards of the same period [D29].
-- Grain: one row per day; without a period from the first to the last counted order. Days without orders are zeros.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D17].

with

days as (

    select unnest(generate_series(
        coalesce(period_start(), (select min(ordered_on) from daily_orders))::timestamp,
        coalesce(period_end(), (select max(ordered_on) from daily_orders))::timestamp,
        interval 1 day
    ))::date as day_on

),

day_totals as (

    select
        ordered_on,
        sum(revenue) as revenue,
        sum(orders)::bigint as orders,
        sum(cost) as cost,
        sum(revenue_with_cost) as revenue_with_cost
    from daily_orders
    group by ordered_on

),

filled_days as (

    select
        days.day_on,
        or_zero(day_totals.revenue) as revenue,
        or_zero(day_totals.orders) as orders,
        or_zero(day_totals.cost) as cost,
        or_zero(day_totals.revenue_with_cost) as revenue_with_cost
    from days
    left join day_totals on day_totals.ordered_on = days.day_on

)

select
    day_on as "date",
    money(revenue) as revenue,
    orders,
    or_zero(average(safe_divide(revenue, orders))) as "averageTicket",
    money(cost) as cogs,
    money(revenue_with_cost) as "revenueWithCmv",
    money(revenue - revenue_with_cost) as "revenueWithoutCmv",
    margin_basis(revenue, revenue_with_cost, margin.is_configured) as "marginBasis",
    money(blended_contribution(revenue_with_cost, cost, revenue - revenue_with_cost, margin.margin_rate))
        as "blendedContribution"
from filled_days
cross join margin
order by day_on
