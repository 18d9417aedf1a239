-- Every name a campaign ever had: what orders may call it by [D14].
-- Grain: one row per campaign and normalized name.

select distinct campaign_key, name_key
from ad_records
where name_key is not null
order by campaign_key, name_key
