-- What happened on each day, from the sums of its orders and acquired customers, its spend and its events. A derivation reads this
-- macro, too: once for all stores and channels.
-- Grain: one row per day with a row of any of them. Null where nothing of the kind happened. The parameters are names of relations:
-- `order_rows` like daily_orders, `acquisition_rows` like daily_acquisitions, `spend_rows` like media_spend, and `event_rows` of
-- (happened_on, interest_events, decision_events).
-- Follows [D17] cost, [D25] revenue to date of the customers acquired on the day, [D27] strategies and stages.
create macro day_sums(order_rows, acquisition_rows, spend_rows, event_rows) as table
    with
    facts as (
        select
            ordered_on as day_on,
            true as is_covered,
            revenue,
            orders,
            recurring_orders,
            cost,
            revenue_with_cost,
            case when strategy = 'monetization' then revenue end as monetization_revenue,
            case when strategy = 'monetization' then recurring_orders end as monetization_recurring_orders
        from query_table(order_rows)
        union all by name
        select
            first_on as day_on,
            customers as new_customers,
            revenue as revenue_to_date,
            retention_revenue,
            case when strategy = 'acquisition' then customers end as acquisition_new_customers,
            case when strategy = 'acquisition' then revenue end as acquisition_revenue_to_date,
            case when strategy = 'brand' then customers end as brand_new_customers
        from query_table(acquisition_rows)
        union all by name
        select
            spent_on as day_on,
            spend <> 0 as is_covered,
            spend as investment,
            case when strategy = 'acquisition' then spend end as acquisition_investment,
            case when strategy = 'brand' then spend end as brand_investment,
            case when strategy = 'brand' then impressions end as brand_impressions,
            case when strategy = 'monetization' then spend end as monetization_investment,
            case when strategy is null then spend end as unclassified_investment
        from query_table(spend_rows)
        union all by name
        select happened_on as day_on, interest_events, decision_events
        from query_table(event_rows)
    )
    select
        day_on,
        -- Without a period, analyses cover the months from the first to the last of these days [D29].
        coalesce(bool_or(is_covered), false) as is_covered,
        sum(columns('(orders|customers|events)$'))::bigint,
        sum(columns('(revenue|to_date|cost|investment|impressions)$'))
    from facts
    where day_on is not null
    group by day_on;
