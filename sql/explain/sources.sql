-- The records that landed: how many files they came in, how many of their rows are in force, up to which day.
-- Grain: one row per integration and record that has rows. Parameters: none.
-- Follows [D9], [D56].

select
    integrations.integration_id as "integrationId",
    integrations.connector,
    landed_records.record,
    landed_records.files,
    landed_records.rows,
    landed_records.newest_on as "newestDay",
    instant_text(landed_records.last_landed_at) as "lastLandedAt"
from landed_records
join integrations on integrations.integration_id = landed_records.integration_id
order by integrations.position, landed_records.record
