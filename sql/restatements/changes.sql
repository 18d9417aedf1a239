-- What figures are in two states of the data, and why they differ.
-- Grain: one row per step and figure that differ. `month` is null for one step. `causes` add up to `change`: each is rounded, and what
-- that leaves over goes to the largest, the first of equals. `change` and `causes` are null with `before` or `after`, `causes` also where
-- the later landings under the earlier settings give null.
-- Parameters: start_date, end_date (inclusive; null for all months of either state), granularity (month, none).
-- Variables: marts_before, marts_between, marts_after. Tables: before_figures, between_figures, after_figures (restatements/figures, of
-- each of these).
-- Follows [D8], [D53], [D84].

with

steps as materialized (from compared_steps(getvariable('marts_before'), getvariable('marts_after'))),

covered as materialized (from compared_days(getvariable('marts_before'), getvariable('marts_after'))),

restated as materialized (from restated_orders(getvariable('marts_before'), getvariable('marts_between'), 'covered')),

-- An order that moved is a loss of one day and a gain of another.
order_changes as (

    select cause, before.ordered_on as day_on, -or_zero(before.revenue) as revenue, -1 as orders
    from restated
    where has_loss

    union all

    select cause, after.ordered_on, or_zero(after.revenue), 1
    from restated
    where has_gain

),

-- Grain: one row per step, figure and cause.
order_causes as (

    select steps.window_no, 'revenue' as figure, order_changes.cause, sum(order_changes.revenue)::decimal(38, 18) as amount
    from order_changes
    join steps on order_changes.day_on between steps.first_on and steps.last_on
    group by all

    union all

    select steps.window_no, 'orders', order_changes.cause, sum(order_changes.orders)
    from order_changes
    join steps on order_changes.day_on between steps.first_on and steps.last_on
    group by all

),

of_orders as (

    select
        steps.window_no,
        figures.figure,
        list(or_zero(order_causes.amount) order by causes.cause_no) as amounts
    from steps
    cross join (select unnest(['revenue', 'orders']) as figure) as figures
    cross join (
        select
            unnest(['arrived', 'counted', 'uncounted', 'gone', 'moved', 'value']) as cause,
            generate_subscripts(['arrived', 'counted', 'uncounted', 'gone', 'moved', 'value'], 1) as cause_no
    ) as causes
    left join order_causes
        on order_causes.window_no = steps.window_no
        and order_causes.figure = figures.figure
        and order_causes.cause = causes.cause
    group by steps.window_no, figures.figure

),

differing as (

    select
        after.window_no,
        after.month_on,
        after.figure_no,
        after.figure,
        before.shown as before,
        after.shown as after,
        after.shown - before.shown as change,
        settled(
            list_append(
                coalesce(of_orders.amounts, [between_figures.exact - before.exact]), after.exact - between_figures.exact
            ),
            change
        ) as amounts,
        change is not null and between_figures.exact is not null as is_explained
    from after_figures as after
    join before_figures as before on before.window_no = after.window_no and before.figure = after.figure
    join between_figures on between_figures.window_no = after.window_no and between_figures.figure = after.figure
    left join of_orders on of_orders.window_no = after.window_no and of_orders.figure = after.figure
    where before.shown is distinct from after.shown

),

-- Numbers of orders and customers have no decimals.
numbers as (

    select
        *,
        list_transform(
            [before, after, change] || amounts,
            lambda number: case
                when figure in ('orders', 'newCustomers') then to_json(number::bigint) else to_json(number::double)
            end
        ) as written
    from differing

)

select
    month_on as "month",
    figure,
    written[1] as before,
    written[2] as after,
    written[3] as change,
    case
        when not is_explained then null
        when figure in ('revenue', 'orders') then json_object(
            'arrived', written[4],
            'counted', written[5],
            'uncounted', written[6],
            'gone', written[7],
            'moved', written[8],
            'value', written[9],
            'settings', written[10]
        )
        when figure = 'investment' then json_object('spend', written[4], 'settings', written[5])
        else json_object('data', written[4], 'settings', written[5])
    end as causes
from numbers
order by window_no, figure_no
