-- The stock of each product of a store, from the latest reading of each of its SKUs [D35].
-- Grain: one row per integration and product with SKUs in the catalog. `available` is null unless `monitored`; it may
-- be negative. `read_at` is the landing time of the oldest of those readings, which is the age of the sum. A SKU that
-- the catalog does not track is unmonitored, whether it has a reading or not.
-- Key: integration_id, product_id
-- Kept for: analyses
-- Order: integration_id, product_id

with

skus as (

    select integration_id, product_id, sku_id, null::varchar as inventory_item_id, false as is_untracked
    from staging.storea_products
    where sku_id is not null

    union all

    -- A variant that is twice in an export has one stock.
    select integration_id, id, variant.variant_id, variant.inventory_item_id, coalesce(bool_or(not variant.tracked), false)
    from (select integration_id, id, unnest(variants, recursive := false) as variant from staging.storeb_products)
    group by all

),

readings as (

    select
        integration_id,
        sku_id,
        null::varchar as inventory_item_id,
        is_unlimited,
        false as is_unmonitored,
        available,
        inserted_at as read_at,
        _landing_order
    from staging.storea_inventory

    union all

    -- A cost without a reading of a location says nothing about the stock.
    select
        integration_id,
        variant_id,
        inventory_item_id,
        false,
        not coalesce(tracked, true),
        available,
        inserted_at,
        _landing_order
    from staging.storeb_inventory
    where available is not null or not coalesce(tracked, true)

),

latest_readings as (

    select *
    from readings
    qualify row_number() over (
        partition by integration_id, coalesce(inventory_item_id, sku_id) order by read_at desc, _landing_order desc
    ) = 1

),

-- One of storeb's two APIs names the variant of a reading, the other only its inventory item.
sku_readings as (

    select
        skus.integration_id,
        skus.product_id,
        coalesce(by_sku.is_unlimited, by_item.is_unlimited) as is_unlimited,
        skus.is_untracked or coalesce(by_sku.is_unmonitored, by_item.is_unmonitored, false) as is_unmonitored,
        case when by_sku.read_at is not null then by_sku.available else by_item.available end as available,
        coalesce(by_sku.read_at, by_item.read_at) as read_at
    from skus
    left join latest_readings as by_sku
        on by_sku.integration_id = skus.integration_id and by_sku.sku_id = skus.sku_id
    left join latest_readings as by_item
        on by_sku.read_at is null
        and by_item.integration_id = skus.integration_id
        and by_item.inventory_item_id = skus.inventory_item_id

),

totals as (

    select
        integration_id,
        product_id,
        count(*) as skus,
        count(read_at) as skus_read,
        case
            when bool_or(is_unlimited) then 'unlimited'
            when bool_or(is_unmonitored) then 'unmonitored'
            when count(read_at) > 0 then 'monitored'
            else 'unknown'
        end as state,
        sum(available)::bigint as available,
        min(read_at) as read_at
    from sku_readings
    group by integration_id, product_id

)

select * exclude (available), case when state = 'monitored' then available end as available
from totals
