-- What all orders of a period brought: the rows of a breakdown together.
-- Grain: one row.
-- Parameters: those of profitability/breakdown.
-- Follows [D4], [D6], [D8], [D50], [D74], [D89].

with

figures as materialized (from breakdown_figures()),

totals as materialized (

    select
        *,
        revenue as exact_revenue,
        discount as exact_discount
    from breakdown_totals('figures')

),

rounded as (

    select * replace (rounded_sum(revenue) as revenue, rounded_sum(discount) as discount)
    from totals

)

select
    unnest(breakdown_figures_of(present)),
    case when previous.window_no is not null then breakdown_figures_of(previous) end as previous,
    case when previous.window_no is not null then breakdown_changes(present, previous) end as changes
from rounded as present
left join rounded as previous on previous.window_no = 2
where present.window_no = 1
