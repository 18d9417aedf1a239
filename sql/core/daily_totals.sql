-- What happened on each day, with the sums that analyses need by strategy: orders, customers acquired, spend, events of
-- the site. Null where nothing of the kind happened.
-- Grain: one row per day with an order, a new customer, spend or events.
-- Follows [D17] cost, [D25] revenue to date of the customers acquired on the day, [D27] strategies and stages.
-- Key: day_on
-- Kept for: analyses
-- Order: day_on

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
    from daily_orders

    union all by name

    select
        first_on as day_on,
        customers as new_customers,
        revenue as revenue_to_date,
        retention_revenue,
        case when strategy = 'acquisition' then customers end as acquisition_new_customers,
        case when strategy = 'acquisition' then revenue end as acquisition_revenue_to_date,
        case when strategy = 'brand' then customers end as brand_new_customers
    from daily_acquisitions

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
    from media_spend

    union all by name

    select
        site_events.happened_on as day_on,
        case when list_contains(organization.interest_events, site_events.event_name) then site_events.event_count end
            as interest_events,
        case when list_contains(organization.decision_events, site_events.event_name) then site_events.event_count end
            as decision_events
    from site_events
    cross join organization

)

select
    day_on,
    -- Without a period, analyses cover the months from the first to the last of these days [D29].
    coalesce(bool_or(is_covered), false) as is_covered,
    sum(columns('(orders|customers|events)$'))::bigint,
    sum(columns('(revenue|to_date|cost|investment|impressions)$'))
from facts
where day_on is not null
group by day_on
