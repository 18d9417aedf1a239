-- What the orders of the period are worth on each line, with refunds on the order, by channel and campaign.
-- Grain: one row per channel, campaign and line. `units` are those sold, `unknown_units` those of them without a cost; `is_unknown`: units
-- that were sold, or put back, have no cost.
create macro contribution_lines() as table
    with
    -- Orders that neither differ here nor in the rules that hold are one row.
    facts as materialized (
        select
            row_number() over () as fact_no,
            daily_facts.channel,
            daily_facts.campaign_connector,
            daily_facts.campaign_key,
            daily_facts.integration_id,
            spans.first_on as ordered_on,
            daily_facts.is_sale,
            daily_facts.has_fee,
            case when distinguished.payment_methods then daily_facts.payment_methods end as payment_methods,
            sum(daily_facts.facts)::bigint as facts,
            sum(columns('^(revenue|gift_cards|refunds|net_revenue|sale_value|tax|shipping|fee|re.*ed_cost|uncosted_value)$')),
            sum(columns('units$|^refunds_above_zero$'))::bigint
        from daily_profit_facts as daily_facts
        join rule_spans('cost_rules') as spans on daily_facts.ordered_on between spans.first_on and spans.last_on
        cross join distinguished('cost_rules') as distinguished
        where is_in_period(daily_facts.ordered_on) and passes_filters(daily_facts.integration_id, daily_facts.channel)
        group by all
    )
    select
        facts.channel,
        facts.campaign_connector,
        facts.campaign_key,
        amounts.line,
        or_zero(sum(amounts.amount) filter (where amounts.measure = 'amount')) as amount,
        bool_or(amounts.line = 'goods' and amounts.measure in ('unknown', 'unknown back')) as is_unknown,
        or_zero(sum(amounts.units) filter (where amounts.measure = 'sold')) as units,
        or_zero(sum(amounts.units) filter (where amounts.measure = 'unknown')) as unknown_units
    from profit_amounts('facts', 'cost_rules') as amounts
    join facts on facts.fact_no = amounts.fact_no
    group by facts.channel, facts.campaign_connector, facts.campaign_key, amounts.line;

-- What channels and campaigns leave after all costs of their orders and media spend in the period [D65], [D76]: the lines of the
-- statement with refunds on the order, without expenses. An order belongs to its own channel and campaign [D14], [D15].
-- Grain: one row per value with records or orders in the period. `dimension`: 'channel', 'campaign' (its connector,
-- `break_source`, and key; both are null for orders without a campaign) or 'all': the sum of them. Amounts of the statement are
-- rounded; those of goods are null where units that were sold, or put back, have no cost.
create macro contributions(dimension) as table
    with
    lines as (
        select
            case when dimension = 'campaign' then campaign_connector end as break_source,
            of_dimension(dimension, channel, campaign_key) as break_key,
            line,
            rounded_sum(sum(amount)) as amount,
            bool_or(is_unknown) as is_unknown,
            sum(units) as units,
            sum(unknown_units) as unknown_units
        from contribution_lines()
        group by all
    ),
    costs as (
        select
            break_source,
            break_key,
            or_zero(sum(amount) filter (where line in ('revenue', 'giftCards', 'refunds', 'salesTax'))) as net_revenue,
            case when not bool_or(is_unknown) then -or_zero(sum(amount) filter (where line = 'goods')) end as cost_of_goods,
            -or_zero(sum(amount) filter (where line in ('payment', 'shipping', 'fulfilment', 'commission', 'other'))) as variable_costs,
            safe_divide(sum(units) - sum(unknown_units), sum(units)) as cost_coverage
        from lines
        group by break_source, break_key
    ),
    sums as (
        select
            case when dimension = 'campaign' then connector end as break_source,
            of_dimension(dimension, connector, campaign_key) as break_key,
            null::varchar as strategy,
            sum(spend) as investment,
            0::hugeint as orders,
            0::decimal(38, 2) as revenue
        from analysed_spend()
        where is_in_period(spent_on)
        group by all
        union all
        select
            case when dimension = 'campaign' then campaign_connector end,
            of_dimension(dimension, channel, campaign_key),
            case when dimension = 'campaign' then strategy end,
            0,
            sum(orders),
            sum(revenue)
        from analysed_daily_orders()
        where is_in_period(ordered_on)
        group by all
    ),
    totals as (
        select
            sums.break_source,
            sums.break_key,
            any_value(sums.strategy) as strategy,
            -- A channel without a connector, and a campaign that never landed, have none in any store [D86].
            case
                when any_value(knowledge.is_known)
                    or dimension = 'campaign' and sums.break_source is null
                    or dimension = 'channel' and not has_spend(sums.break_key)
                    then sum(sums.investment)
            end as investment,
            sum(sums.orders)::bigint as orders,
            sum(sums.revenue) as revenue
        from sums
        cross join spend_knowledge() as knowledge
        group by sums.break_source, sums.break_key
    )
    select
        totals.*,
        or_zero(costs.net_revenue) as net_revenue,
        case when costs.net_revenue is null then 0 else costs.cost_of_goods end as cost_of_goods,
        or_zero(costs.variable_costs) as variable_costs,
        or_zero(costs.net_revenue) - case when costs.net_revenue is null then 0 else costs.cost_of_goods end
            - or_zero(costs.variable_costs) as after_costs,
        after_costs - rounded_sum(totals.investment) as after_ads,
        totals.revenue * margin.margin_rate - totals.investment as contribution_profit,
        costs.cost_coverage
    from totals
    cross join margin
    left join costs
        on costs.break_source is not distinct from totals.break_source and costs.break_key is not distinct from totals.break_key;
