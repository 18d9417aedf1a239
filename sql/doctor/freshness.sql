-- When each integration last landed a file [D9]; of its records how many rows are in force, and up to which day.
-- Grain: one row per integration and record that has rows; one for an integration without any. Parameters: none.

select
    integrations.connector,
    integrations.integration_name as integration,
    integrations.integration_id as "integrationId",
    integrations.last_landed_at::varchar as "lastLandedAt",
    landed_records.record,
    landed_records.rows::int as rows,
    landed_records.newest_on as "newestDay"
from integrations
left join landed_records on landed_records.integration_id = integrations.integration_id
order by integrations.position, landed_records.record
