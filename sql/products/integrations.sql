-- The organization's stores, in the settings' order [D37].
-- Grain: one row per store.

select
    integration_id as "sourceIntegrationId",
    integration_name as "integrationName",
    connector,
    currency,
    instant_text(last_landed_at) as "lastSyncAt",
    products,
    first_sold_on as "firstSaleDate",
    last_sold_on as "lastSaleDate"
from product_stores
order by position
