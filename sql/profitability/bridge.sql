-- Why a period differs from another: effects that add up to the change of revenue, of contribution after media spend and
-- of the products' margin, and what drives the revenue.
-- Grain: one row. `drivers` is null without break_by.
-- Parameters: start_date, end_date, compare_start_date, compare_end_date (inclusive; without the latter two the period that
-- compare chooses), compare (default 'previous'), break_by (origem, campanha, produto, categoria; null without drivers).
-- Follows [D8], [D33], [D50], [D53].

with

revenues as (

    select
        bridge.* exclude (effects),
        rounded_sum(revenue_after) - rounded_sum(revenue_before) as revenue_change,
        rounded_sum(profit_after) - rounded_sum(profit_before) as profit_change,
        settled(bridge.effects, revenue_change) as effects,
        settled(
            list_append(list_transform(bridge.effects, lambda effect: effect * margin_rate), -investment), profit_change
        ) as profit_effects
    from revenue_bridge(bridge_windows()) as bridge
    cross join margin

),

margins as (

    select
        * exclude (effects),
        rounded_sum(margin_after) - rounded_sum(margin_before) as margin_change,
        settled(effects, margin_change) as effects
    from product_bridge(bridge_windows())

),

rounded_drivers as (

    select
        source,
        "key",
        label,
        rounded_sum(revenue_before) as before,
        rounded_sum(revenue_after) as after,
        after - before as change
    from query(
        case break_by()
            when 'origem' then 'from drivers_by_channel(bridge_windows())'
            when 'campanha' then 'from drivers_by_campaign(bridge_windows())'
            when 'produto' then 'from drivers_by_product(bridge_windows())'
            when 'categoria' then 'from drivers_by_category(bridge_windows())'
            else 'from no_drivers()'
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
            newCustomers: revenues.effects[1]::double,
            newFrequency: revenues.effects[2]::double,
            newTicket: revenues.effects[3]::double,
            recurringCustomers: revenues.effects[4]::double,
            recurringFrequency: revenues.effects[5]::double,
            recurringTicket: revenues.effects[6]::double,
            other: revenues.effects[7]::double
        }
    } as revenue,
    {
        before: money(profit_before),
        after: money(profit_after),
        change: profit_change::double,
        effects: {
            newCustomers: profit_effects[1]::double,
            newFrequency: profit_effects[2]::double,
            newTicket: profit_effects[3]::double,
            recurringCustomers: profit_effects[4]::double,
            recurringFrequency: profit_effects[5]::double,
            recurringTicket: profit_effects[6]::double,
            other: profit_effects[7]::double,
            investment: profit_effects[8]::double
        }
    } as "contributionProfit",
    {
        before: money(margin_before),
        after: money(margin_after),
        change: margin_change::double,
        effects: {
            volume: margins.effects[1]::double,
            mix: margins.effects[2]::double,
            price: margins.effects[3]::double,
            cost: margins.effects[4]::double,
            newProducts: margins.effects[5]::double,
            discontinuedProducts: margins.effects[6]::double
        }
    } as "productMargin",
    case when break_by() is not null then coalesce(drivers.rows, []) end as drivers
from revenues
cross join margins
cross join drivers
