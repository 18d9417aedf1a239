-- Every name a campaign ever had: what orders may call it by [D14].
-- Grain: one row per campaign (connector and key) and normalized name.

select distinct connector, campaign_key, name_key
from ad_records
where name_key is not null
order by connector, campaign_key, name_key
