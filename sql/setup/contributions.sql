-- What channels and campaigns leave after the cost of goods, variable costs and media spend in the period, not yet
-- rounded [D65]. An order belongs to its own channel and campaign [D14], [D15].
-- Grain: one row per value with records or orders in the period. `dimension`: 'channel', 'campaign' (its connector,
-- `break_source`, and key; both are null for orders without a campaign) or 'all': the sum of them.
create macro contributions(dimension) as table
    with
    facts as (
        select
            case when dimension = 'campaign' then connector end as break_source,
            of_dimension(dimension, connector, campaign_key) as break_key,
            null::varchar as strategy,
            sum(spend) as investment,
            0::hugeint as orders,
            0::decimal(38, 2) as revenue,
            0::decimal(38, 6) as cost,
            0::decimal(38, 2) as revenue_with_cost
        from media_spend
        where is_in_period(spent_on)
        group by all
        union all
        select
            case when dimension = 'campaign' then campaign_connector end,
            of_dimension(dimension, channel, campaign_key),
            case when dimension = 'campaign' then strategy end,
            0,
            sum(orders),
            sum(revenue),
            sum(cost),
            sum(revenue_with_cost)
        from daily_orders
        where is_in_period(ordered_on)
        group by all
    ),
    totals as (
        select
            break_source,
            break_key,
            any_value(strategy) as strategy,
            sum(investment) as investment,
            sum(orders)::bigint as orders,
            sum(revenue) as revenue,
            sum(cost) as cost,
            sum(revenue_with_cost) as revenue_with_cost
        from facts
        group by break_source, break_key
    ),
    costed as (
        select
            totals.*,
            revenue - revenue_with_cost as revenue_without_cost,
            margin.margin_rate,
            -- One percentage has all costs in it, without saying which.
            margin.completeness = 'none' and margin.is_configured as is_one_percentage,
            case
                when is_one_percentage and revenue <> 0 then null
                when revenue_without_cost = 0 then cost
                when margin.item_status.costOfGoods <> 'pending'
                    then cost + (revenue_without_cost * margin.item_percents[4]::double / 100)::decimal(38, 12)
            end as cost_of_goods,
            case
                when revenue = 0 then 0
                when 'pending' not in (margin.item_status.gateway, margin.item_status.tax, margin.item_status.shipping)
                    then (revenue * list_sum(margin.item_percents[1:3])::double / 100)::decimal(38, 12)
            end as variable_costs,
            case
                when is_one_percentage then revenue * margin.margin_rate
                else revenue - cost_of_goods - variable_costs
            end as after_costs
        from totals
        cross join margin
    )
    select
        break_source,
        break_key,
        strategy,
        investment,
        orders,
        revenue,
        cost_of_goods,
        variable_costs,
        after_costs,
        after_costs - investment as after_ads,
        revenue * margin_rate - investment as contribution_profit,
        safe_divide(revenue_with_cost, revenue) as cost_coverage
    from costed;
