-- Revenue and cost of goods day by day; they add up to the cards of the same period [D29].
-- Grain: one row per day; without a period from the first to the last counted order. Days without orders are zeros.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D17].

with

bounds as (

    select
        coalesce(period_start(), min(day_on))::timestamp as first_on,
        coalesce(period_end(), max(day_on))::timestamp as last_on
    from daily_totals
    where orders > 0

),

days as (

    select unnest(generate_series(first_on, last_on, interval 1 day))::date as day_on
    from bounds

),

filled_days as (

    select
        days.day_on,
        or_zero(daily_totals.revenue) as revenue,
        or_zero(daily_totals.orders)::bigint as orders,
        or_zero(daily_totals.cost) as cost,
        or_zero(daily_totals.revenue_with_cost) as revenue_with_cost
    from days
    left join analysed_totals() as daily_totals on daily_totals.day_on = days.day_on

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
