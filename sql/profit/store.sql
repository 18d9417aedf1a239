-- The store that a request is about.
-- Grain: one row; no row if the organization has no such store.
-- Parameters: integration_id.

select integration_id as "integrationId"
from integrations
where kind = 'store' and integration_id = filtered_store()
