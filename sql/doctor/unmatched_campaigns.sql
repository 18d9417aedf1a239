-- The utm_campaigns of counted orders that match no landed campaign by id or name [D14], and the class that the rules
-- assign to their text [D13].
-- Grain: one row per normalized utm_campaign, by revenue. Parameters: none.

select
    campaign_key as "utmCampaign",
    any_value(strategy) as strategy,
    count(*)::int as orders,
    money(sum(revenue)) as revenue
from orders
where campaign_key is not null and campaign_connector is null
group by campaign_key
order by revenue desc, campaign_key
