-- What paybacks are computed from: spend, the customers acquired, and their revenue by month since [D26].
-- Grain: one row per dimension, its value, day of spend and of first orders, and month since; spend and customers are in
-- month 0. `dimension`: 'all', 'strategy', 'channel' or 'campaign'; a campaign is its connector (`break_source`) and key
-- [D13], a strategy and a channel have a key only.
-- Key: dimension, break_source, break_key, day_on, month_no
-- Kept for: analyses
-- Order: dimension, day_on, month_no, break_source, break_key
-- Row group: 16384

with

facts as (

    select
        first_on as day_on,
        month_no,
        strategy,
        channel,
        campaign_connector,
        campaign_key,
        revenue,
        null as customers,
        null as spend
    from daily_cohorts

    union all

    select first_on, 0, strategy, channel, campaign_connector, campaign_key, null, customers, null
    from daily_acquisitions

    union all

    -- The channel of spend has the name of its connector [D15].
    select spent_on, 0, strategy, connector, connector, campaign_key, null, null, spend
    from media_spend

),

dimensions as (

    select 'all' as dimension, null as break_source, null as break_key, facts.* from facts

    union all

    select 'strategy', null, strategy, facts.* from facts

    union all

    select 'channel', null, channel, facts.* from facts

    union all

    select 'campaign', campaign_connector, campaign_key, facts.* from facts

)

select
    dimension,
    break_source::varchar as break_source,
    break_key::varchar as break_key,
    day_on,
    month_no::integer as month_no,
    coalesce(sum(revenue), 0)::decimal(38, 6) as revenue,
    coalesce(sum(customers), 0)::bigint as customers,
    coalesce(sum(spend), 0)::decimal(38, 6) as spend
from dimensions
group by dimension, break_source, break_key, day_on, month_no
