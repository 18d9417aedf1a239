-- The utm_campaigns of counted orders that no landed campaign has as its id or name [D14]: the twenty largest.
-- Grain: one row per normalized utm_campaign. Parameters: none.

select campaign_key as utm_campaign, any_value(strategy) as class, count(*) as orders, sum(revenue) as revenue
from orders
where not campaign_is_landed
group by campaign_key
order by revenue desc, campaign_key
limit 20
