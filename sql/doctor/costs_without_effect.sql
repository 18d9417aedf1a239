-- Rows of tables of costs that change no answer [D71]: of an unknown store, of none where there are several, in another currency, of
-- a SKU or product that is neither in the catalog nor in an order, and fees of no counted order.
-- Grain: one row per record and reason. `rows` is null where only the sum is known. Parameters: none.

with

-- Grain: one row per row of a table that does not count.
left_out as (

    select 'product-costs' as record, integration_id, currency, "cost" as amount
    from product_costs
    where store_id is null

    union all

    select 'payment-fees', integration_id, currency, fee
    from payment_fees
    where store_id is null

    union all

    select 'expenses', integration_id, currency, amount
    from expenses
    where not counts

),

reasons as (

    select
        left_out.record,
        case
            when upper(left_out.currency) <> organization.currency then 'another currency'
            when left_out.integration_id is null then 'no store, and there are several'
            else 'no such store'
        end as reason,
        count(*) as rows,
        sum(left_out.amount) as amount
    from left_out
    cross join organization
    group by all

),

-- Grain: one row per cost of a SKU or product that is nowhere.
unknown_products as (

    select product_costs.document_id, product_costs."cost"
    from product_costs
    where store_id is not null
        and not exists (
            from product_items as items
            where items.integration_id = product_costs.store_id
                and items.item_id = coalesce(product_costs.sku, product_costs.product_id)
        )
        and not exists (
            from order_lines as lines
            where lines.integration_id = product_costs.store_id and lines.store_code = product_costs.sku
        )

),

fees as (

    select
        (select coalesce(sum(fee), 0) from payment_fees where store_id is not null)
            - (select coalesce(sum(fee), 0) from profit_facts) as amount

)

select record, reason, rows::int as rows, money(amount) as amount
from reasons

union all

select 'product-costs', 'no such SKU or product', count(*)::int, money(sum("cost"))
from unknown_products
having count(*) > 0

union all

select 'payment-fees', 'of no counted order', null, money(amount)
from fees
where amount <> 0
order by record, reason
