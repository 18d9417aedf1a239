-- What the statement of profit is computed from, per day, already summed: see `profit_facts`. Amounts have 14 decimals, so that
-- percentages of them fit without a cast, which costs more than all else.
-- Grain: one row per store, day of the orders, day that counts, and whatever cost rules and breakdowns distinguish.
-- Key: all but the sums
-- Kept for: analyses
-- Order: ordered_on, counted_on, integration_id
-- Sums: facts, revenue, gift_cards, refunds, refunds_above_zero, net_revenue, sale_value, tax, shipping, fee, units, recorded_units,
--   recorded_cost, reported_units, reported_cost, uncosted_units, unvalued_units, uncosted_value, orders_with_tax

select
    integration_id,
    ordered_on,
    counted_on,
    is_sale,
    channel,
    campaign_key,
    campaign_connector,
    strategy,
    payment_methods,
    has_fee,
    count(*) as facts,
    sum(columns('^(revenue|gift_cards|refunds|net_revenue|sale_value|tax|shipping|fee|re.*ed_cost|uncosted_value)$'))::decimal(38, 14),
    sum(columns('units$|^refunds_above_zero$'))::bigint,
    count(*) filter (where tax <> 0 and is_sale) as orders_with_tax
from profit_facts
group by integration_id, ordered_on, counted_on, is_sale, channel, campaign_key, campaign_connector, strategy, payment_methods, has_fee
