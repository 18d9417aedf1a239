-- What sales and days cost by the settings: the rules of `costs`; for an item without any, that of `margin` [D70].
-- Grain: one row per rule, in the settings' order. The rule holds for orders of these days, store, channel and payment method
-- (normalized), where they are not null; a `fixed` one for these days. `kind` is the name of its amount; `charged` and `none` have
-- none. `of_margin`: from the item of `margin`.
-- Variables: settings.
-- Key: rule_no
-- Kept for: increments
-- Order: rule_no

with

settings as (

    select getvariable('settings')::json as settings

),

costs as (

    select unnest(from_json(settings -> '$.costs', '[{
        "item": "VARCHAR", "name": "VARCHAR", "from": "DATE", "until": "DATE",
        "where": {"integrationId": "VARCHAR", "channel": "VARCHAR", "paymentMethod": "VARCHAR"},
        "percentOfRevenue": "DECIMAL(18, 6)", "percentOfItems": "DECIMAL(18, 6)", "perOrder": "DECIMAL(18, 6)",
        "perUnit": "DECIMAL(18, 6)", "perMonth": "DECIMAL(18, 6)", "perDay": "DECIMAL(18, 6)", "charged": "BOOLEAN",
        "none": "BOOLEAN"
    }]')) as cost
    from settings

),

own_rules as (

    select
        row_number() over () as rule_no,
        cost.item,
        coalesce(cost.name, cost.item) as name,
        cost."from" as from_on,
        cost.until as until_on,
        lower(cost."where".integrationId) as store_id,
        cost."where".channel as channel,
        normalized(cost."where".paymentMethod) as payment_method,
        case
            when cost.percentOfRevenue is not null then 'percentOfRevenue'
            when cost.percentOfItems is not null then 'percentOfItems'
            when cost.perOrder is not null then 'perOrder'
            when cost.perUnit is not null then 'perUnit'
            when cost.perMonth is not null then 'perMonth'
            when cost.perDay is not null then 'perDay'
            when cost.charged then 'charged'
            else 'none'
        end as kind,
        coalesce(
            cost.percentOfRevenue, cost.percentOfItems, cost.perOrder, cost.perUnit, cost.perMonth, cost.perDay
        ) as amount
    from costs

),

margin_items as (

    select
        items.item_no,
        items.item,
        settings -> '$.margin.items' -> items.of_margin as setting,
        items.kind
    from settings
    cross join (
        values
            (1, 'salesTax', 'tax', 'percentOfRevenue'),
            (2, 'goods', 'costOfGoods', 'percentOfItems'),
            (3, 'payment', 'gateway', 'percentOfRevenue'),
            (4, 'shipping', 'shipping', 'percentOfRevenue')
    ) as items (item_no, item, of_margin, kind)

),

margin_rules as (

    select
        item_no,
        item,
        case when json_type(setting) = 'OBJECT' then kind else 'charged' end as kind,
        (setting ->> '$.percent')::decimal(18, 6) as amount
    from margin_items
    where (json_type(setting) = 'OBJECT' or item = 'shipping' and (setting ->> '$') = 'orders')
        and item not in (select item from own_rules)

)

select
    rule_no::integer as rule_no,
    item,
    own_rules.name,
    coalesce(from_on, date '0001-01-01') as from_on,
    coalesce(until_on, date '9999-12-31') as until_on,
    integrations.integration_id,
    channel,
    payment_method,
    own_rules.kind,
    amount,
    false as of_margin
from own_rules
left join integrations on lower(integrations.integration_id) = own_rules.store_id

union all

select
    ((select count(*) from own_rules) + row_number() over (order by item_no))::integer,
    item,
    item,
    date '0001-01-01',
    date '9999-12-31',
    null,
    null,
    null,
    kind,
    amount,
    true
from margin_rules
