-- What each counted order leaves [D75]: the lines of the statement up to `contribution2`, with refunds on the order, without expenses.
-- Grain: one row per order. Lines are rounded per row, totals are the sums of the lines as rounded.
-- Parameters: start_date, end_date (inclusive; null for the whole history). All others may be missing: those of
--   profitability/orders but counted, order_by (orderedAt, contribution2), order_direction, page, limit, all.
-- Follows [D8], [D14], [D15], [D70], [D72], [D73], [D74], [D75].

with

selected as materialized (

    select orders.*, campaigns.campaign_id, coalesce(campaigns.campaign_name, orders.campaign_key) as campaign_name
    from selected_orders() as orders
    left join campaigns
        on campaigns.connector = orders.campaign_connector and campaigns.campaign_key = orders.campaign_key
    where passes('campaign_id', campaigns.campaign_id)
    order by
        case when descends_by_time() then orders.ordered_at end desc nulls last,
        orders.ordered_at,
        orders.order_id,
        orders.integration_id
    -- Only what the page needs is computed; sorting by a figure needs all.
    limit last_of_page()

),

order_facts as materialized (

    select row_number() over () as fact_no, 1::bigint as facts, profit_facts.*
    from profit_facts
    semi join selected
        on selected.integration_id = profit_facts.integration_id and selected.order_id = profit_facts.order_id

),

lines as (

    select
        order_facts.integration_id,
        order_facts.order_id,
        amounts.line,
        rounded_sum(coalesce(sum(amounts.amount) filter (where amounts.measure = 'amount'), 0)) as amount,
        coalesce(sum(amounts.units) filter (where amounts.line = 'goods' and amounts.measure = 'unknown'), 0) as unknown_units,
        bool_or(amounts.line = 'goods' and amounts.measure in ('unknown', 'unknown back')) as is_unknown
    from profit_amounts('order_facts', 'cost_rules') as amounts
    join order_facts on order_facts.fact_no = amounts.fact_no
    group by order_facts.integration_id, order_facts.order_id, amounts.line

),

order_lines_of as (

    select
        integration_id,
        order_id,
        or_zero(any_value(amount) filter (where line = 'revenue')) as revenue,
        or_zero(any_value(amount) filter (where line = 'giftCards')) as gift_cards,
        or_zero(any_value(amount) filter (where line = 'refunds')) as refunds,
        or_zero(any_value(amount) filter (where line = 'salesTax')) as sales_tax,
        case when not bool_or(is_unknown) then or_zero(any_value(amount) filter (where line = 'goods')) end as goods,
        or_zero(any_value(amount) filter (where line = 'payment')) as payment,
        or_zero(any_value(amount) filter (where line = 'shipping')) as shipping,
        or_zero(any_value(amount) filter (where line = 'fulfilment')) as fulfilment,
        or_zero(any_value(amount) filter (where line = 'commission')) as commission,
        or_zero(any_value(amount) filter (where line = 'other')) as other,
        sum(unknown_units)::bigint as unknown_units
    from lines
    group by integration_id, order_id

),

totals as (

    select
        *,
        revenue + gift_cards + refunds + sales_tax as net_revenue,
        net_revenue + goods as contribution1,
        contribution1 + payment + shipping + fulfilment + commission + other as contribution2
    from order_lines_of

)

select
    selected.order_id as "orderId",
    selected.integration_id as "integrationId",
    selected.connector,
    selected.ordered_on as "orderedOn",
    instant_text(selected.ordered_at) as "orderedAt",
    selected.channel,
    channel_label(selected.channel) as "channelLabel",
    selected.campaign_id as "campaignId",
    selected.campaign_name as "campaignName",
    selected.strategy,
    totals.revenue::double as revenue,
    totals.gift_cards::double as "giftCards",
    totals.refunds::double as refunds,
    totals.sales_tax::double as "salesTax",
    totals.net_revenue::double as "netRevenue",
    totals.goods::double as goods,
    totals.contribution1::double as contribution1,
    totals.payment::double as payment,
    totals.shipping::double as shipping,
    totals.fulfilment::double as fulfilment,
    totals.commission::double as commission,
    totals.other::double as other,
    totals.contribution2::double as contribution2,
    totals.unknown_units as "unitsWithoutCost"
from selected
join totals on totals.integration_id = selected.integration_id and totals.order_id = selected.order_id
order by
    case
        when optional_parameter('order_by') = 'contribution2'
            then case optional_parameter('order_direction') when 'DESC' then -totals.contribution2 else totals.contribution2 end
    end nulls last,
    case when descends_by_time() then selected.ordered_at end desc nulls last,
    selected.ordered_at,
    selected.order_id,
    selected.integration_id
