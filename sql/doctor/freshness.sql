-- When each integration last landed a file [D9].
-- Grain: one row per integration. Parameters: none.

select connector, integration_name, integration_id, last_landed_at::varchar as last_landed_at
from integrations
order by position
