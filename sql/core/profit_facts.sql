-- What the statement of profit is computed from [D74], of each counted order: what it brought and contains, and, on the days on
-- which something went back, what did, as negative amounts. Cost rules apply to these sums.
-- Grain: one row per order (`is_sale`), and one per order and day of its refunds and returned units. `counted_on` is that day, of a
-- sale the order's own. `net_revenue` is the revenue without gift cards. In a row of refunds it, `sale_value` and `tax` are the
-- order's, in proportion to refunds ÷ revenue; `refunds_above_zero` counts them. Units that went back are those put back. `payment_methods`
-- are normalized and sorted, `has_fee` says that the fees of `fee` take the place of rules.
-- Follows [D18], [D70], [D72], [D73], [D74].
-- Key: integration_id, order_id, is_sale, counted_on
-- Kept for: analyses
-- Partition: days of ordered_on
-- Order: ordered_on, ordered_at, order_id
-- Per: order

with

methods as (

    select payment_names, list_sort(list_distinct(list_transform(payment_names, lambda name: normalized(name)))) as payment_methods
    from (select distinct payment_names from orders)

),

described as (

    select
        orders.integration_id,
        orders.order_id,
        orders.ordered_at,
        orders.ordered_on,
        orders.channel,
        orders.campaign_key,
        orders.campaign_connector,
        orders.strategy,
        coalesce(methods.payment_methods, []) as payment_methods,
        order_fees.fee is not null as has_fee,
        orders.revenue,
        orders.revenue - orders.ordered_gift_card_value as net_revenue,
        orders.ordered_gift_card_value,
        orders.sale_value,
        coalesce(orders.tax_charged, 0) as tax,
        coalesce(orders.shipping_charged, 0) as shipping,
        coalesce(order_fees.fee, 0) as fee,
        orders.units,
        order_totals.goods
    from orders
    left join methods on methods.payment_names is not distinct from orders.payment_names
    left join order_totals
        on order_totals.integration_id = orders.integration_id and order_totals.order_id = orders.order_id
    left join order_fees
        on order_fees.integration_id = orders.integration_id and order_fees.order_id = orders.order_id

),

refund_days as (

    select integration_id, order_id, refunded_on as counted_on, sum(amount) as amount, count(*) filter (where amount > 0) as refunds
    from refunds
    group by all

),

return_days as (

    select
        integration_id,
        order_id,
        returned_on as counted_on,
        sum(gift_card_value) as gift_card_value,
        {
            recorded_units: coalesce(sum(units) filter (where is_recorded), 0)::bigint,
            recorded_cost: coalesce(sum(units * unit_cost) filter (where is_recorded), 0)::decimal(38, 6),
            reported_units: coalesce(sum(units) filter (where not is_recorded and unit_cost is not null), 0)::bigint,
            reported_cost: coalesce(sum(units * unit_cost) filter (where not is_recorded), 0)::decimal(38, 6),
            uncosted_units: coalesce(sum(units) filter (where unit_cost is null), 0)::bigint,
            unvalued_units: coalesce(sum(units) filter (where unit_cost is null and "value" is null), 0)::bigint,
            uncosted_value: coalesce(sum("value") filter (where unit_cost is null), 0)::decimal(38, 18)
        } as goods
    from (
        select * replace (if(is_restocked, units, 0) as units, if(is_restocked, "value", null) as "value")
        from returned_units
    )
    group by all

),

days_back as (

    select integration_id, order_id, counted_on, amount, refunds, gift_card_value, goods
    from refund_days
    full join return_days using (integration_id, order_id, counted_on)

)

select
    integration_id,
    order_id,
    ordered_at,
    ordered_on,
    ordered_on as counted_on,
    true as is_sale,
    channel,
    campaign_key,
    campaign_connector,
    strategy,
    payment_methods,
    has_fee,
    revenue,
    (-ordered_gift_card_value)::decimal(38, 18) as gift_cards,
    0::decimal(38, 18) as refunds,
    0::bigint as refunds_above_zero,
    net_revenue::decimal(38, 18) as net_revenue,
    sale_value::decimal(38, 18) as sale_value,
    tax::decimal(38, 18) as tax,
    shipping,
    fee,
    units,
    coalesce(goods.recorded_units, 0) as recorded_units,
    coalesce(goods.recorded_cost, 0) as recorded_cost,
    coalesce(goods.reported_units, 0) as reported_units,
    coalesce(goods.reported_cost, 0) as reported_cost,
    coalesce(goods.uncosted_units, 0) as uncosted_units,
    coalesce(goods.unvalued_units, 0) as unvalued_units,
    coalesce(goods.uncosted_value, 0) as uncosted_value
from described

union all

select
    integration_id,
    order_id,
    ordered_at,
    ordered_on,
    counted_on,
    false,
    channel,
    campaign_key,
    campaign_connector,
    strategy,
    payment_methods,
    has_fee,
    0,
    coalesce(gift_card_value, 0),
    -coalesce(amount, 0),
    coalesce(refunds, 0),
    -coalesce(share_of(net_revenue, amount, revenue), 0),
    -coalesce(share_of(sale_value, amount, revenue), 0),
    -coalesce(share_of(tax, amount, revenue), 0),
    0,
    0,
    0,
    -coalesce(days_back.goods.recorded_units, 0),
    -coalesce(days_back.goods.recorded_cost, 0),
    -coalesce(days_back.goods.reported_units, 0),
    -coalesce(days_back.goods.reported_cost, 0),
    -coalesce(days_back.goods.uncosted_units, 0),
    -coalesce(days_back.goods.unvalued_units, 0),
    -coalesce(days_back.goods.uncosted_value, 0)
from days_back
join described using (integration_id, order_id)
