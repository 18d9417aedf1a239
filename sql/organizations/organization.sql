-- What an organization's data cover, and how fresh the data of its connected accounts are.
-- Grain: one row. Parameters: none.
-- Follows [D9], [D58].

with

covered as (

    select min(day_on) as first_on, max(day_on) as last_on
    from daily_totals
    where is_covered

),

newest as (

    select integration_id, max(newest_on) as newest_on
    from landed_records
    group by all

),

connectors as (

    select
        integrations.position,
        {
            integrationId: integrations.integration_id,
            connector: integrations.connector,
            name: integrations.integration_name,
            timezone: integrations.timezone,
            newestDay: newest.newest_on,
            lastLandedAt: instant_text(integrations.last_landed_at)
        } as connector
    from integrations
    left join newest on newest.integration_id = integrations.integration_id

)

select
    organization.currency,
    coalesce(
        (select list(distinct timezone order by timezone) from integrations where kind = 'store'),
        []::varchar[]
    ) as timezones,
    covered.first_on as "firstDay",
    covered.last_on as "lastDay",
    instant_text(organization.as_of) as "asOf",
    coalesce((select list(connector order by position) from connectors), []) as connectors
from organization
cross join covered
