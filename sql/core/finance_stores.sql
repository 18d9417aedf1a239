-- How a table of one's own may name a store: by its id, or by its name in the settings if no other store has it [D71]; where it
-- names none, the organization's only store is meant.
-- Grain: one row per name of a store. `written` is normalized [D12]; null: no name.
-- Key: written
-- Kept for: nothing

with

stores as (

    select integration_id as store_id, integration_name
    from integrations
    where kind = 'store'

)

select normalized(store_id) as written, store_id
from stores

union

select normalized(integration_name), any_value(store_id)
from stores
where normalized(integration_name) is not null
    and normalized(integration_name) not in (select normalized(store_id) from stores)
group by normalized(integration_name)
having count(*) = 1

union all

select null, any_value(store_id)
from stores
having count(*) = 1
