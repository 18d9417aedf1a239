-- The orders that were restated are the change of revenue and of the number of orders, without other settings [D84].

with

figures as (

    select
        sum(between_figures.exact - before_figures.exact) filter (where before_figures.figure = 'revenue') as revenue,
        sum(between_figures.exact - before_figures.exact) filter (where before_figures.figure = 'orders') as orders
    from before_figures
    join between_figures
        on between_figures.window_no = before_figures.window_no and between_figures.figure = before_figures.figure

),

listed as (

    select
        coalesce(sum(change::decimal(38, 2)), 0) as revenue,
        count_if(cause in ('arrived', 'counted')) - count_if(cause in ('uncounted', 'gone')) as orders
    from restatements_orders

)

select figures.*, listed.revenue as listed_revenue, listed.orders as listed_orders
from figures
cross join listed
where rounded_sum(figures.revenue) <> listed.revenue or figures.orders <> listed.orders
