-- Cost and results of each channel or campaign in the period, not yet rounded [D32].
-- Grain: one row per channel or campaign with records, orders or new customers in the period. `dimension`: 'channel'
-- or 'campaign'; a campaign is its connector (`break_source`, null if it never landed) and key [D13]. An order belongs
-- to its own channel and campaign, a customer to those of the first order.
create macro acquisition_figures(dimension) as table
    with
    windows as (select 1 as window_no, period_start() as first_on, period_end() as last_on),
    spend_totals as (
        select
            case when dimension = 'campaign' then connector end as break_source,
            of_dimension(dimension, connector, campaign_key) as break_key,
            sum(spend) as investment,
            sum(impressions) as impressions,
            sum(clicks) as clicks
        from analysed_spend()
        where spent_on between period_start() and period_end()
        group by all
    ),
    order_totals as (
        select
            case when dimension = 'campaign' then campaign_connector end as break_source,
            of_dimension(dimension, channel, campaign_key) as break_key,
            sum(orders)::bigint as orders,
            sum(revenue) as revenue
        from analysed_daily_orders()
        where ordered_on between period_start() and period_end()
        group by all
    ),
    customer_totals as (
        select
            case when dimension = 'campaign' then campaign_connector end as break_source,
            of_dimension(dimension, channel, campaign_key) as break_key,
            sum(customers)::bigint as new_customers,
            sum(revenue) as revenue_to_date
        from analysed_acquisitions()
        where first_on between period_start() and period_end()
        group by all
    ),
    new_customer_revenue as (
        select
            case when dimension = 'campaign' then first_campaign_connector end as break_source,
            of_dimension(dimension, first_channel, first_campaign_key) as break_key,
            sum(revenue) as revenue
        from analysed_purchases()
        where ordered_on between period_start() and period_end() and first_on between period_start() and period_end()
        group by all
    ),
    keys as (
        select break_source, break_key from spend_totals
        union select break_source, break_key from order_totals
        union select break_source, break_key from customer_totals
    ),
    totals as (
        select
            keys.break_source,
            keys.break_key,
            margin.margin_rate,
            -- A channel without a connector, and a campaign that never landed, have none in any store [D86].
            knowledge.is_known
                or not if(dimension = 'campaign', keys.break_source is not null, has_spend(keys.break_key)) as has_known_spend,
            case when has_known_spend then or_zero(spend_totals.investment) end as investment,
            case when has_known_spend then or_zero(spend_totals.impressions) end as impressions,
            case when has_known_spend then or_zero(spend_totals.clicks) end as clicks,
            or_zero(order_totals.orders) as orders,
            or_zero(order_totals.revenue) as revenue,
            or_zero(customer_totals.new_customers) as new_customers,
            customer_totals.revenue_to_date,
            or_zero(new_customer_revenue.revenue) as new_customers_revenue,
            paybacks.months as payback,
            spend_totals.investment <> 0 and customer_totals.new_customers > 0 as has_cost
        from keys
        cross join margin
        cross join spend_knowledge() as knowledge
        left join spend_totals
            on spend_totals.break_source is not distinct from keys.break_source
            and spend_totals.break_key = keys.break_key
        left join order_totals
            on order_totals.break_source is not distinct from keys.break_source
            and order_totals.break_key = keys.break_key
        left join customer_totals
            on customer_totals.break_source is not distinct from keys.break_source
            and customer_totals.break_key = keys.break_key
        left join new_customer_revenue
            on new_customer_revenue.break_source is not distinct from keys.break_source
            and new_customer_revenue.break_key = keys.break_key
        left join paybacks('windows', dimension) as paybacks
            on paybacks.source is not distinct from keys.break_source
            and paybacks.break_key = keys.break_key
        where keys.break_key is not null
    )
    select
        *,
        case when has_cost then cac(investment, new_customers) end as cac,
        ltv(revenue_to_date, margin_rate, new_customers) as ltv,
        -- Both are per customer: the number of customers cancels.
        case when has_cost then safe_divide(revenue_to_date * margin_rate, investment) end as ltv_cac_ratio,
        case when has_cost then roi(new_customers_revenue * margin_rate, investment) end as roi
    from totals;
