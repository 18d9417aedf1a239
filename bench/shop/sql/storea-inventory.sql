-- Grain: one object per SKU, its stock in one warehouse.
select
    number::varchar as "skuId",
    [{
        warehouseId: '1_1',
        totalQuantity: draw('stock', number, 200),
        reservedQuantity: draw('reserved', number, 5),
        hasUnlimitedQuantity: number % 50 = 0
    }] as balance
from (select unnest(range(1, getvariable('products')::bigint + 1)) as number)
order by number
