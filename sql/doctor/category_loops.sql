-- Categories that are each other's parents: the smallest id of a loop is its root [D38].
-- Grain: one row per integration and loop. Parameters: none.

with recursive

holders as (

    select integration_id, category_id, parent_category_id as holder_id
    from categories
    where parent_category_id is not null

    union

    select holders.integration_id, holders.category_id, categories.parent_category_id
    from holders
    join categories
        on categories.integration_id = holders.integration_id and categories.category_id = holders.holder_id
    where categories.parent_category_id is not null

),

-- Grain: one row per category in a loop, with the smallest id of it.
looped as (

    select holders.integration_id, holders.category_id, min(others.category_id) as root_id
    from holders
    join holders as others
        on others.integration_id = holders.integration_id
        and others.category_id = holders.holder_id
        and others.holder_id = holders.category_id
    group by holders.integration_id, holders.category_id
    having bool_or(holders.holder_id = holders.category_id)

)

select
    any_value(integrations.integration_name) as integration,
    looped.integration_id as "integrationId",
    looped.root_id as root,
    string_agg(looped.category_id, ', ' order by looped.category_id) as categories
from looped
join integrations on integrations.integration_id = looped.integration_id
group by looped.integration_id, looped.root_id
order by looped.integration_id, looped.root_id
