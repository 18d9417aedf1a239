-- The units of orders' lines that came back or were taken off, entry by entry: returns of storea, lines of storeb's refunds
-- [D33]. An entry of storea that names only a SKU is assigned to the SKU's lines in turn, the earliest entry first.
-- Grain: one row per entry, in the order's document, and line that it is about. `units` are as the document has them: there may be more
-- than were sold. `is_removal` marks units that were removed before shipping, `is_restocked` those that are back in stock.
-- `refund_no` numbers the refunds of an order, `came_back_at` is null where the export has no time.
-- Follows [D18], [D33], [D73].
-- Key: integration_id, order_id, return_no, line_no
-- Kept for: nothing
-- Per: order version

with

-- Few orders have any: the others are read once.
storea_returned as materialized (

    select integration_id, order_id, items, returns
    from staging.storea_orders
    where len(returns) > 0

),

storea_entries as (

    select
        integration_id,
        order_id,
        generate_subscripts(returns, 1) - 1 as return_no,
        list_transform(returns, lambda r: r.returned_at::varchar) as times,
        unnest(returns, recursive := false) as entry
    from storea_returned

),

-- With running totals, so that units given by SKU can be assigned to lines in turn.
storea_lines as (

    select
        integration_id,
        order_id,
        item.item_no as line_no,
        item.id as sku_id,
        item.quantity,
        coalesce(sum(item.quantity) over (
            partition by integration_id, order_id, item.id order by item.item_no
            rows between unbounded preceding and 1 preceding
        ), 0) as earlier_units
    from (select integration_id, order_id, unnest(items, recursive := false) as item from storea_returned)

),

storea_by_sku as (

    select
        *,
        sum(coalesce(entry.quantity, 0)) over (
            partition by integration_id, order_id, entry.sku_id order by entry.returned_at nulls first, return_no
            rows unbounded preceding
        ) as units_to_date
    from storea_entries
    where entry.item_no is null and entry.sku_id is not null

),

storea_claims as (

    select
        entries.integration_id, entries.order_id, return_no, times, entry, line_no, coalesce(entry.quantity, 0) as units
    from storea_entries as entries
    join storea_lines as lines
        on lines.integration_id = entries.integration_id
        and lines.order_id = entries.order_id
        and lines.line_no = entries.entry.item_no

    union all

    select
        entries.integration_id,
        entries.order_id,
        return_no,
        times,
        entry,
        line_no,
        greatest(0, least(quantity, units_to_date - earlier_units))
            - greatest(0, least(quantity, units_to_date - coalesce(entry.quantity, 0) - earlier_units))
    from storea_by_sku as entries
    join storea_lines as lines
        on lines.integration_id = entries.integration_id
        and lines.order_id = entries.order_id
        and lines.sku_id = entries.entry.sku_id

),

storeb_refunded as materialized (

    select integration_id, order_id, items, refunds
    from staging.storeb_orders
    where len(refunds) > 0

),

storeb_entries as (

    select
        integration_id,
        order_id,
        generate_subscripts(refunds, 1) - 1 as return_no,
        list_transform(refunds, lambda r: r.refund_id) as refund_ids,
        unnest(refunds, recursive := false) as entry
    from storeb_refunded

),

storeb_lines as (

    select
        integration_id,
        order_id,
        generate_subscripts(items, 1) - 1 as line_no,
        unnest(list_transform(items, lambda i: i.line_id)) as line_id
    from storeb_refunded

)

select
    integration_id,
    order_id,
    return_no,
    line_no,
    refund_place(entry.package_no, times, entry.returned_at::varchar, return_no) as refund_no,
    entry.returned_at as came_back_at,
    units::bigint as units,
    false as is_removal,
    true as is_restocked
from storea_claims

union all

select
    entries.integration_id,
    entries.order_id,
    return_no,
    line_no,
    refund_place(entry.refund_no, refund_ids, entry.refund_id, return_no),
    coalesce(entry.processed_at, entry.created_at),
    coalesce(entry.quantity, 0),
    coalesce(entry.restock_type, '') = 'cancel',
    coalesce(entry.restock_type, '') <> 'no_restock'
from storeb_entries as entries
join storeb_lines as lines
    on lines.integration_id = entries.integration_id
    and lines.order_id = entries.order_id
    and lines.line_id = entries.entry.line_id
