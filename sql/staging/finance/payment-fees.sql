-- Statements of acquirers and gateways -> one row per row of the table.
-- Grain: fee of an order, as written. Follows [D71].

with

fees as (

    select
        file_no,
        position,
        from_json("row", '{
            "integration_id": "VARCHAR", "order_id": "VARCHAR", "fee": "VARCHAR", "date": "VARCHAR", "currency": "VARCHAR"
        }') as fee
    from plain_rows

)

select
    file_no,
    position,
    filled(fee.integration_id) as integration_id,
    filled(fee.order_id) as order_id,
    fee.fee,
    fee."date",
    filled(fee.currency) as currency
from fees
