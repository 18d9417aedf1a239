-- The contribution margin that every analysis applies: the same for all periods [D16].
-- Grain: one row. Item statuses and percentages are null without an item-by-item margin,
-- the percentages also if they are more than 100 together. `margin_rate` is `margin_percent` / 100.
-- Variables: settings.
-- Key: one row
-- Kept for: analyses

with

settings as (

    select getvariable('settings')::json -> '$.margin' as margin

),

totals as (

    select
        coalesce(sum(revenue), 0) as revenue,
        coalesce(sum(shipping), 0) as shipping,
        coalesce(sum(tax), 0) as tax,
        coalesce(sum(orders_with_shipping), 0) > 0 as has_shipping,
        coalesce(sum(orders_with_tax), 0) > 0 as has_tax,
        coalesce(sum(revenue_with_cost), 0) as costed_revenue,
        coalesce(sum(cost), 0) as cost,
        coalesce(sum(orders_with_cost), 0) > 0 as has_cost
    from daily_orders

),

items as (

    select
        item,
        margin -> '$.items' -> item as setting,
        amount,
        base,
        is_known
    from settings
    cross join totals
    cross join lateral (
        values
            ('gateway', 0, 0, false),
            ('tax', tax, revenue, has_tax),
            ('shipping', shipping, revenue, has_shipping),
            ('costOfGoods', cost, costed_revenue, has_cost)
    ) as sources (item, amount, base, is_known)

),

weighed_items as (

    select
        item,
        case
            when json_type(setting) = 'OBJECT' then 'configured'
            when setting ->> '$' = 'orders' and is_known then 'synced'
            else 'pending'
        end as status,
        case
            when json_type(setting) = 'OBJECT' then (setting ->> '$.percent')::double
            when setting ->> '$' = 'orders' and is_known then coalesce(100 * amount::double / nullif(base, 0)::double, 0)
            else 0
        end as percent
    from items

),

margins as (

    select
        margin is not null as is_configured,
        json_exists(margin, '$.items') as has_items,
        case
            when json_exists(margin, '$.items')
                then greatest(0, least(100, 100 - (select sum(percent) from weighed_items)))
            else coalesce((margin ->> '$.percent')::double, 100)
        end as percent
    from settings

)

select
    percentage(percent)::decimal(5, 2) as margin_percent,
    (percentage(percent)::decimal(5, 2) * 0.01::decimal(3, 2))::decimal(6, 4) as margin_rate,
    is_configured,
    case
        when not coalesce(has_items, false) then 'none'
        when exists (from weighed_items where status = 'pending') then 'partial'
        else 'complete'
    end as completeness,
    case
        when has_items then (
            select {
                gateway: any_value(status) filter (where item = 'gateway'),
                tax: any_value(status) filter (where item = 'tax'),
                shipping: any_value(status) filter (where item = 'shipping'),
                costOfGoods: any_value(status) filter (where item = 'costOfGoods')
            }
            from weighed_items
        )
    end as item_status,
    case
        when has_items and (select sum(percent) <= 100 from weighed_items) then (
            select [
                any_value(percent) filter (where item = 'gateway'),
                any_value(percent) filter (where item = 'tax'),
                any_value(percent) filter (where item = 'shipping'),
                any_value(percent) filter (where item = 'costOfGoods')
            ]::decimal(38, 15)[]
            from weighed_items
        )
    end as item_percents
from margins
