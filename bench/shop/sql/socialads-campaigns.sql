-- Grain: one row per campaign and day.
select
    (120330000000000 + campaign)::varchar as campaign_id,
    'Social ' || campaign as campaign_name,
    'OUTCOME_SALES' as objective,
    '1880011' as account_id,
    (1000 + draw('impressions', campaign * 10000 + day_no, 9000))::varchar as impressions,
    (10 + draw('clicks', campaign * 10000 + day_no, 90))::varchar as clicks,
    ((getvariable('orders') // 100 + draw('spend', campaign * 10000 + day_no, getvariable('orders') // 20 + 1)) / 100)::decimal(18, 2)::varchar as spend,
    strftime(getvariable('first_day')::date + day_no::int, '%Y-%m-%d') as date_start,
    strftime(getvariable('first_day')::date + day_no::int, '%Y-%m-%d') as date_stop
from (select unnest(range(1, 11)) as campaign)
cross join (select unnest(range(0, 1095)) as day_no)
order by day_no, campaign
