-- What happened on each day, with the sums that analyses need by strategy: orders, customers acquired, spend, events of
-- the site. Null where nothing of the kind happened.
-- Grain: one row per day with an order, a new customer, spend or events.
-- Follows [D17] cost, [D25] revenue to date of the customers acquired on the day, [D27] strategies and stages.
-- Key: day_on
-- Kept for: analyses
-- Order: day_on

with

order_rows as (from daily_orders),

acquisition_rows as (from daily_acquisitions),

spend_rows as (from media_spend),

event_rows as (

    select
        site_events.happened_on,
        case when list_contains(organization.interest_events, site_events.event_name) then site_events.event_count end
            as interest_events,
        case when list_contains(organization.decision_events, site_events.event_name) then site_events.event_count end
            as decision_events
    from site_events
    cross join organization

)

from day_sums('order_rows', 'acquisition_rows', 'spend_rows', 'event_rows')
