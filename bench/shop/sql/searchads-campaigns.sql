-- Grain: one result per campaign and day.
select
    {
        id: (21000000000 + campaign)::varchar,
        name: 'Busca ' || campaign,
        status: 'ENABLED',
        "advertisingChannelType": 'SEARCH',
        "biddingStrategyType": 'TARGET_ROAS'
    } as campaign,
    {
        impressions: (500 + draw('shown', campaign * 10000 + day_no, 900))::varchar,
        clicks: (5 + draw('clicked', campaign * 10000 + day_no, 50))::varchar,
        "costMicros": ((getvariable('orders') // 100 + draw('cost', campaign * 10000 + day_no, getvariable('orders') // 20 + 1)) * 10000)::varchar,
        conversions: 1.0,
        "conversionsValue": 100.0
    } as metrics,
    {date: strftime(getvariable('first_day')::date + day_no::int, '%Y-%m-%d')} as segments
from (select unnest(range(1, 11)) as campaign)
cross join (select unnest(range(0, 1095)) as day_no)
order by day_no, campaign
