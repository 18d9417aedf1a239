-- Tables of product costs -> one row per row of the table.
-- Grain: cost of a SKU or product from a day on, as written. With both, the SKU counts. Follows [D71].

with

costs as (

    select
        file_no,
        position,
        from_json("row", '{
            "integration_id": "VARCHAR", "sku": "VARCHAR", "product_id": "VARCHAR", "cost": "VARCHAR",
            "valid_from": "VARCHAR", "currency": "VARCHAR"
        }') as cost
    from plain_rows

)

select
    file_no,
    position,
    filled(cost.integration_id) as integration_id,
    filled(cost.sku) as sku,
    case when filled(cost.sku) is null then filled(cost.product_id) end as product_id,
    cost.cost,
    cost.valid_from,
    filled(cost.currency) as currency,
    case
        when coalesce(filled(cost.sku), filled(cost.product_id)) is null then 'neither sku nor product_id is filled'
        when try_cast(trimmed(cost.cost) as decimal(16, 6)) < 0 then 'cost: ' || trimmed(cost.cost) || ' is below 0'
    end as _reject
from costs
