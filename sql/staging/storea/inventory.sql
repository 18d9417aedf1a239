-- Store A inventory -> one row per exported object, each the reading of its SKU's stock over all warehouses.
-- Grain: SKU as read. There are three layouts: a SKU with its `balance` by warehouse, which is complete; a row per
-- warehouse (or per warehouse and dock), or its dispatched variant, where the SKU's reading combines the rows of the
-- same sync: the last of each warehouse, as docks share one stock. A SKU is unlimited when any warehouse is; its
-- quantity is then a filler, and null here. Follows [D35] (a negative availability stays; a reading's time is its
-- landing): the vendor's own dates, of supply and refill, are not used; [V5.7].

with

exported as (

    select
        file_no,
        position,
        from_json("row", '{
            "skuId": "VARCHAR",
            "balance": [{
                "warehouseId": "VARCHAR", "totalQuantity": "VARCHAR", "reservedQuantity": "VARCHAR",
                "hasUnlimitedQuantity": "VARCHAR"
            }],
            "warehouseId": "VARCHAR", "totalQuantity": "VARCHAR", "quantity": "VARCHAR",
            "reservedQuantity": "VARCHAR", "totalReservedQuantity": "VARCHAR", "availableQuantity": "VARCHAR",
            "isUnlimited": "VARCHAR", "isUnlimitedQuantity": "VARCHAR", "hasUnlimitedQuantity": "VARCHAR"
        }') as stock
    from vendor_rows

),

warehouse_texts as (

    select
        file_no,
        position,
        stock.skuId as sku_id,
        true as is_whole,
        warehouse.warehouseId as warehouse_id,
        warehouse.totalQuantity as total,
        warehouse.reservedQuantity as reserved,
        null::varchar as available,
        warehouse.hasUnlimitedQuantity as unlimited
    from (select *, unnest(stock.balance) as warehouse from exported) as balances

    union all

    select
        file_no,
        position,
        stock.skuId,
        false,
        stock.warehouseId,
        coalesce(stock.totalQuantity, stock.quantity),
        coalesce(stock.reservedQuantity, stock.totalReservedQuantity),
        stock.availableQuantity,
        coalesce(stock.isUnlimited, stock.isUnlimitedQuantity, stock.hasUnlimitedQuantity)
    from exported
    where stock.balance is null and filled(stock.warehouseId) is not null

),

warehouse_quantities as (

    -- A text that is not a quantity is kept, so that the check of its type names it.
    select
        file_no,
        position,
        sku_id,
        is_whole,
        warehouse_id,
        try_cast(filled(total) as decimal(30, 6)) as total,
        try_cast(filled(reserved) as decimal(30, 6)) as reserved,
        try_cast(filled(available) as decimal(30, 6)) as available,
        coalesce(try_cast(filled(unlimited) as boolean), false) as is_unlimited,
        case when try_cast(filled(total) as decimal(30, 6)) is null then filled(total) end as bad_total,
        case when try_cast(filled(reserved) as decimal(30, 6)) is null then filled(reserved) end as bad_reserved,
        case when try_cast(filled(available) as decimal(30, 6)) is null then filled(available) end as bad_available,
        case when try_cast(filled(unlimited) as boolean) is null then filled(unlimited) end as bad_unlimited
    from warehouse_texts

),

warehouses as (

    select * exclude (available), coalesce(total - reserved, available) as available
    from warehouse_quantities

),

latest_warehouses as (

    select *
    from warehouses
    where not is_whole
    qualify row_number() over (partition by sku_id, warehouse_id order by file_no desc, position desc) = 1

),

readings as (

    select
        file_no,
        position,
        null::varchar as sku_id,
        count(*) as warehouses,
        sum(total) as total,
        sum(reserved) as reserved,
        sum(available) as available,
        bool_or(is_unlimited) as is_unlimited,
        bool_or(available is null and not is_unlimited) as lacks_quantity,
        any_value(bad_total) as bad_total,
        any_value(bad_reserved) as bad_reserved,
        any_value(bad_available) as bad_available,
        any_value(bad_unlimited) as bad_unlimited
    from warehouses
    where is_whole
    group by file_no, position

    union all

    select
        w.file_no,
        w.position,
        w.sku_id,
        count(*),
        sum(l.total),
        sum(l.reserved),
        sum(l.available),
        bool_or(l.is_unlimited),
        bool_or(l.available is null and not l.is_unlimited),
        -- The fault of the row itself, otherwise that of another warehouse in the same reading.
        coalesce(any_value(w.bad_total), any_value(l.bad_total)),
        coalesce(any_value(w.bad_reserved), any_value(l.bad_reserved)),
        coalesce(any_value(w.bad_available), any_value(l.bad_available)),
        coalesce(any_value(w.bad_unlimited), any_value(l.bad_unlimited))
    from warehouses as w
    inner join latest_warehouses as l on w.sku_id = l.sku_id
    where not w.is_whole
    group by w.file_no, w.position, w.sku_id

)

select
    e.file_no,
    e.position,
    e.stock.skuId as sku_id,
    coalesce(r.bad_total, case when not coalesce(r.is_unlimited, false) then coalesce(r.total, 0)::varchar end) as total,
    coalesce(r.bad_reserved, coalesce(r.reserved, 0)::varchar) as reserved,
    coalesce(
        r.bad_available,
        case when not coalesce(r.is_unlimited, false) then coalesce(r.available, 0)::varchar end
    ) as available,
    coalesce(r.bad_unlimited, coalesce(r.is_unlimited, false)::varchar) as is_unlimited,
    coalesce(r.warehouses, 0)::varchar as warehouses,
    case
        when e.stock.balance is null and r.position is null
            then 'neither the balance of a SKU (skuId, balance) nor the stock of a warehouse (skuId, warehouseId)'
        when coalesce(r.bad_total, r.bad_reserved, r.bad_available, r.bad_unlimited) is null and r.lacks_quantity
            then 'a warehouse without quantities'
    end as _reject
from exported as e
left join readings as r on r.file_no = e.file_no and r.position = e.position
