-- Ad accounts that hide the spend of stores: they name several, or none where there are several [D86].
-- Grain: one row per account, in the settings' order. `stores` are those whose spend is unknown for it. Parameters: none.

with

stores as (

    select integration_id, coalesce(integration_name, integration_id) as name, position
    from integrations
    where kind = 'store'

),

spends as (

    select integration_id, sum(spend) as spend
    from media_spend
    group by integration_id

)

select
    accounts.integration_id as "integrationId",
    any_value(accounts.integration_name) as name,
    any_value(accounts.connector) as connector,
    string_agg(stores.name, ', ' order by stores.position) as stores,
    money(coalesce(any_value(spends.spend), 0)) as spend
from integrations as accounts
join stores on coalesce(list_contains(accounts.stores, stores.integration_id), true)
left join spends on spends.integration_id = accounts.integration_id
where accounts.kind = 'ads'
group by accounts.integration_id, accounts.position
having count(*) > 1
order by accounts.position
