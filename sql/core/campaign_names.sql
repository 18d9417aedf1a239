-- Every name that a campaign has had: orders may refer to it by any of them [D14].
-- Grain: one row per campaign (connector and key) and normalized name.
-- Key: connector, campaign_key, name_key
-- Kept for: increments
-- Order: connector, campaign_key, name_key

select distinct connector, campaign_key, name_key
from ad_records
where name_key is not null
