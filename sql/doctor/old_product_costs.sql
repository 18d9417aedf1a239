-- Stores whose tables of product costs ended a quarter before their newest order [D71].
-- Grain: one row per store with product costs. Parameters: none.

with

tables as (

    select store_id as integration_id, max(greatest(timezone('UTC', inserted_at)::date, valid_from)) as newest_on
    from product_costs
    where store_id is not null
    group by store_id

),

sold as (

    select integration_id, max(ordered_on) as ordered_on
    from daily_profit_facts
    group by integration_id

)

select
    integrations.integration_name as integration,
    tables.integration_id as "integrationId",
    tables.newest_on::varchar as "newestCost",
    sold.ordered_on::varchar as "newestOrder"
from tables
join sold on sold.integration_id = tables.integration_id
join integrations on integrations.integration_id = tables.integration_id
where sold.ordered_on - tables.newest_on > 92
order by tables.integration_id
