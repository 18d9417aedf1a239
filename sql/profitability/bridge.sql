-- Why a period differs from another: effects that add up to the change of revenue, of contribution after media spend and
-- of the products' margin, and what drives the revenue.
-- Grain: one row. `drivers` is null without break_by.
-- Parameters: start_date, end_date, compare_start_date, compare_end_date (inclusive; without the latter two the period that
-- compare chooses), compare (default 'previous'), break_by (origem, campanha, produto, categoria; null without drivers).
--   integration_id, channel (filters; both may be missing).
-- Follows [D8], [D33], [D50], [D53], [D86].

with

windows as materialized (from bridge_windows()),

revenues as (

    select
        bridge.* exclude (effects),
        rounded_sum(revenue_after) - rounded_sum(revenue_before) as revenue_change,
        rounded_sum(profit_after) - rounded_sum(profit_before) as profit_change,
        settled(bridge.effects, revenue_change)::double[] as effects,
        -- The spend of a store may be unknown.
        case
            when profit_change is not null
                then settled(
                    list_append(list_transform(bridge.effects, lambda effect: effect * margin_rate), -investment), profit_change
                )::double[]
        end as profit_effects
    from revenue_bridge('windows') as bridge
    cross join margin

),

margins as (

    select
        * exclude (effects),
        rounded_sum(margin_after) - rounded_sum(margin_before) as margin_change,
        settled(effects, margin_change)::double[] as effects
    from product_bridge('windows')

),

rounded_drivers as (

    select
        source,
        "key",
        label,
        rounded_sum(revenue_before) as before,
        rounded_sum(revenue_after) as after,
        after - before as change
    -- As a text, so that only the chosen branch is planned: planning all of them takes longer than the rows.
    from query(
        case coalesce(break_by(), '')
            when '' then 'from no_drivers()'
            when 'origem' then 'from drivers_by_channel(windows)'
            when 'campanha' then 'from drivers_by_campaign(windows)'
            when 'produto' then 'from drivers_by_product(windows)'
            when 'categoria' then 'from drivers_by_category(windows)'
            else unknown_choice('break_by', break_by())
        end
    )

),

-- What rounding leaves over goes to the first.
drivers as (

    select list(
        {
            "key": "key",
            label: label,
            before: before::double,
            after: after::double,
            change: (change + case when place = 1 then leftover else 0 end)::double
        }
        order by place
    ) as rows
    from (
        select
            rounded_drivers.*,
            revenues.revenue_change - sum(change) over () as leftover,
            row_number() over (order by abs(change) desc, "key" nulls last, source nulls last) as place
        from rounded_drivers
        cross join revenues
    )

)

select
    {
        startDate: coalesce(compare_start(), previous_start()),
        endDate: coalesce(compare_end(), previous_end())
    } as "comparedWith",
    {
        before: money(revenue_before),
        after: money(revenue_after),
        change: revenue_change::double,
        effects: {
            newCustomers: revenues.effects[1],
            newFrequency: revenues.effects[2],
            newTicket: revenues.effects[3],
            recurringCustomers: revenues.effects[4],
            recurringFrequency: revenues.effects[5],
            recurringTicket: revenues.effects[6],
            other: revenues.effects[7]
        }
    } as revenue,
    {
        before: money(profit_before),
        after: money(profit_after),
        change: profit_change::double,
        effects: {
            newCustomers: profit_effects[1],
            newFrequency: profit_effects[2],
            newTicket: profit_effects[3],
            recurringCustomers: profit_effects[4],
            recurringFrequency: profit_effects[5],
            recurringTicket: profit_effects[6],
            other: profit_effects[7],
            investment: profit_effects[8]
        }
    } as "contributionProfit",
    {
        before: money(margin_before),
        after: money(margin_after),
        change: margin_change::double,
        effects: {
            volume: margins.effects[1],
            mix: margins.effects[2],
            price: margins.effects[3],
            cost: margins.effects[4],
            newProducts: margins.effects[5],
            discontinuedProducts: margins.effects[6]
        }
    } as "productMargin",
    case when break_by() is not null then coalesce(drivers.rows, []) end as drivers
from revenues
cross join margins
cross join drivers
