-- The bridge between two periods adds up [D53]: what each order belongs to is the revenue, the effects and the drivers are the
-- change; in the answer after rounding, and between the two halves of the days that analyses cover before it.

with

halves as (

    select
        window_no,
        case window_no when 1 then middle_on else first_on end as first_on,
        case window_no when 1 then last_on else middle_on - 1 end as last_on
    from (select *, first_on + ((last_on - first_on + 1) // 2)::int as middle_on from covered_days())
    cross join (values (1), (2)) as numbers (window_no)

),

-- Grain: one row per sum of parts and what it must be.
sums as (

    select 'revenue of the groups' as parts, sum(new_revenue + recurring_revenue + other_revenue) as added, sum(revenue) as whole
    from group_totals('halves')

    union all

    select 'effects on revenue', list_sum(effects), revenue_after - revenue_before
    from revenue_bridge('halves')

    union all

    select 'effects on product margin', list_sum(effects), margin_after - margin_before
    from product_bridge('halves')

    union all

    select 'drivers by ' || drivers.dimension, drivers.change, totals.change
    from (
        select 'channel' as dimension, sum(revenue_after - revenue_before) as change
        from drivers_by_channel('halves')
        union all
        select 'campaign', sum(revenue_after - revenue_before)
        from drivers_by_campaign('halves')
        union all
        select 'product', sum(revenue_after - revenue_before)
        from drivers_by_product('halves')
        union all
        select 'category', sum(revenue_after - revenue_before)
        from drivers_by_category('halves')
    ) as drivers
    cross join (
        select revenue_after - revenue_before as change
        from revenue_bridge('halves')
    ) as totals

    union all

    select
        'rounded effects on ' || part.name,
        list_sum(list_transform(part.effects, lambda effect: effect::decimal(38, 2))),
        part.change::decimal(38, 2)
    from (
        select unnest([
            {
                name: 'revenue',
                change: revenue.change,
                effects: [
                    revenue.effects."newCustomers",
                    revenue.effects."newFrequency",
                    revenue.effects."newTicket",
                    revenue.effects."recurringCustomers",
                    revenue.effects."recurringFrequency",
                    revenue.effects."recurringTicket",
                    revenue.effects.other
                ]
            },
            {
                name: 'contribution profit',
                change: "contributionProfit".change,
                effects: [
                    "contributionProfit".effects."newCustomers",
                    "contributionProfit".effects."newFrequency",
                    "contributionProfit".effects."newTicket",
                    "contributionProfit".effects."recurringCustomers",
                    "contributionProfit".effects."recurringFrequency",
                    "contributionProfit".effects."recurringTicket",
                    "contributionProfit".effects.other,
                    "contributionProfit".effects.investment
                ]
            },
            {
                name: 'product margin',
                change: "productMargin".change,
                effects: [
                    "productMargin".effects.volume,
                    "productMargin".effects.mix,
                    "productMargin".effects.price,
                    "productMargin".effects.cost,
                    "productMargin".effects."newProducts",
                    "productMargin".effects."discontinuedProducts"
                ]
            }
        ]) as part
        from profitability_bridge
    )

    union all

    select
        'rounded drivers',
        list_sum(list_transform(drivers, lambda driver: driver.change::decimal(38, 2))),
        revenue.change::decimal(38, 2)
    from profitability_bridge
    where len(drivers) > 0

    union all

    select 'revenue of the cards', bridge.revenue.after::decimal(38, 2), cards.revenue::decimal(38, 2)
    from profitability_bridge as bridge
    cross join profitability_cards as cards
    where period_start() is not null

)

select parts, added::decimal(38, 10) as added, whole::decimal(38, 10) as whole
from sums
-- Shares are truncated to 12 or 18 decimals.
where abs(or_zero(added) - or_zero(whole)) > 0.0000001
