-- The organization's rules that classify campaigns, in order: the first match wins [D13].
-- Grain: one row per rule. `pattern` is a LIKE pattern (escape `\`) for a normalized name, or a normalized id.
-- Variables: settings.
-- Key: position
-- Kept for: nothing
-- Order: position

with

rules as (

    select unnest(from_json(
        getvariable('settings')::json -> '$.campaigns', '[{"strategy": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR"}]'
    )) as rule

),

numbered as (

    select rule, row_number() over () as position from rules

)

select
    position,
    rule.strategy::varchar as strategy,
    case when rule.id is not null then 'id' else 'name' end as matches,
    case
        when rule.id is not null then normalized(rule.id::varchar)
        else replace(replace(replace(normalized(rule.name::varchar), '\', '\\'), '%', '\%'), '*', '%')
    end as pattern
from numbered
