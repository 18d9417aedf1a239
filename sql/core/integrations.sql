-- The connected accounts of the organization, as its settings name them now.
-- Grain: one row per integration. Data of an integration that is not here is left out of everything [D1].
-- The types are explicit: settings without integrations would leave them open. `kind`: store, ads, analytics or crm.
-- Variables: settings (JSON of the organization), connector_kinds (JSON: the kind of each connector),
--   landings (JSON list of {integration_id, landed_at}), pulled (JSON list of {integration_id, pulled_until}).
-- `stores`: of an ad account, the stores whose spend it has [D86]: those of the settings, otherwise the only store; null if nothing
-- says so. `pulled_until`: the last whole day of which a complete pull asked for the orders or the spend.
-- Key: integration_id
-- Kept for: analyses
-- Order: position

with

named as (

    select unnest(from_json(
        getvariable('settings')::json -> '$.integrations',
        '[{
            "id": "VARCHAR",
            "connector": "VARCHAR",
            "name": "VARCHAR",
            "userId": "VARCHAR",
            "timezone": "VARCHAR",
            "stores": ["VARCHAR"]
        }]'
    )) as integration

),

numbered as (

    select
        integration,
        row_number() over () as position,
        json_extract_string(getvariable('connector_kinds'), integration.connector) as kind
    from named

),

only_store as (

    select list(integration.id) as stores
    from numbered
    where kind = 'store'
    having count(*) = 1

),

landings as (

    select landing.integration_id, max(landing.landed_at::timestamptz) as last_landed_at
    from (
        select unnest(from_json(
            getvariable('landings')::json, '[{"integration_id": "VARCHAR", "landed_at": "VARCHAR"}]'
        )) as landing
    )
    group by all

),

pulls as (

    select unnest(from_json(
        getvariable('pulled')::json, '[{"integration_id": "VARCHAR", "pulled_until": "DATE"}]'
    )) as pull

)

select
    numbered.position,
    numbered.integration.id::varchar as integration_id,
    numbered.integration.connector::varchar as connector,
    numbered.kind,
    numbered.integration.name::varchar as integration_name,
    numbered.integration.userId::varchar as user_id,
    coalesce(numbered.integration.timezone::varchar, 'UTC') as timezone,
    case
        when numbered.kind = 'ads' then coalesce(numbered.integration.stores::varchar[], (select stores from only_store))
    end as stores,
    landings.last_landed_at,
    pulls.pull.pulled_until as pulled_until
from numbered
left join landings on landings.integration_id = numbered.integration.id
left join pulls on pulls.pull.integration_id = numbered.integration.id
