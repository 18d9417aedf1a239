-- Every name a campaign ever had: what orders may call it by [D14].
-- Grain: one row per campaign (connector and key) and normalized name.
-- Key: connector, campaign_key, name_key
-- Kept for: nothing
-- Order: connector, campaign_key, name_key

select distinct connector, campaign_key, name_key
from ad_records
where name_key is not null
