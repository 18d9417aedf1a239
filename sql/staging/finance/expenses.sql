-- Tables of expenses -> one row per row of the table.
-- Grain: expense, as written. `date` alone is both days, an empty `date_stop` is `date_start`, an empty item `fixed`.
-- Variables: cost_items. Follows [D71].

with

written as (

    select
        file_no,
        position,
        from_json("row", '{
            "date": "VARCHAR", "date_start": "VARCHAR", "date_stop": "VARCHAR", "item": "VARCHAR", "amount": "VARCHAR",
            "description": "VARCHAR", "integration_id": "VARCHAR", "currency": "VARCHAR"
        }') as expense
    from plain_rows

),

dated as (

    select
        file_no,
        position,
        expense,
        coalesce(filled(expense.date_start), filled(expense."date")) as date_start,
        coalesce(filled(expense.date_stop), filled(expense.date_start), filled(expense."date")) as date_stop,
        case when filled(expense.item) is null then 'fixed' else cost_item_of(expense.item) end as item
    from written

)

select
    file_no,
    position,
    date_start,
    date_stop,
    coalesce(item, expense.item) as item,
    expense.amount,
    filled(expense.description) as description,
    filled(expense.integration_id) as integration_id,
    filled(expense.currency) as currency,
    expense."date",
    case
        when try_cast(date_stop as date) < try_cast(date_start as date)
            then 'date_stop: ' || date_stop || ' is before date_start'
        when item is null
            then 'item: "' || left(trimmed(expense.item), 60)
                || '" is no cost that is known: map it in the settings (items of the integration), then land the table '
                || 'under another name'
    end as _reject
from dated
