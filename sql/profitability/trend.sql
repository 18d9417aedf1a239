-- The indicators over time, named as on the cards; counts add up to theirs.
-- Grain: one row per day, week (from Monday) or month, cut to the period; points without data are zeros.
-- Parameters: start_date, end_date (inclusive; null for the whole history), granularity (default 'day').
-- Follows [D8], [D17], [D25], [D29].

with

point_windows as (

    select date_diff('day', date '1900-01-01', first_on) as window_no, first_on, last_on
    from covered_steps(point_length())

),

figures as (

    from day_figures('point_windows')

)

select
    date_trunc(point_length(), first_on)::date as "date",
    money(revenue) as revenue,
    money(investment) as investment,
    orders,
    new_customers as "newCustomers",
    average(average_ticket) as "averageTicket",
    money(contribution) as contribution,
    money(contribution_profit) as "contributionProfit",
    average(cac) as cac,
    average(ltv) as ltv,
    ratio(ltv_cac_ratio) as "ltvCacRatio",
    ratio(roi) as roi
from figures
order by first_on
