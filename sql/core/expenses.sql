-- Expenses of one or several days, from tables of one's own. The rows of one key in a file add up; of several files the one that
-- landed last counts.
-- Grain: one row per finance integration, days, item, description, store and currency. `integration_id` is the store, as written
-- if the settings do not name it; null: of no store. `counts`: not for an unknown store, and not in another currency than the
-- organization's. `is_of_month`: it names one day, and the settings of its table say that such an expense is one of the whole month.
-- Follows [D71].
-- Variables: settings, organization_id.
-- Key: document_id
-- Kept for: analyses
-- Order: date_start, document_id

with

tables as (

    select integration.id as table_id, integration."oneDayExpenses" as one_day
    from (
        select unnest(from_json(
            getvariable('settings')::json -> '$.integrations', '[{"id": "VARCHAR", "oneDayExpenses": "JSON"}]'
        )) as integration
    )

),

understood as (

    select
        expenses.*,
        finance_stores.store_id,
        coalesce(finance_stores.store_id, expenses.integration_id) as store,
        currency_of(expenses.currency) as own_currency
    from staging.finance_expenses as expenses
    left join finance_stores on finance_stores.written = normalized(expenses.integration_id)

),

latest as (

    select *
    from understood
    qualify rank() over (
        partition by _integration_id, date_start, date_stop, item, description, store, own_currency
        order by _landing desc, _file_no desc
    ) = 1

),

sums as (

    select
        _integration_id,
        date_start,
        date_stop,
        item,
        sum(amount)::decimal(18, 6) as amount,
        description,
        store,
        own_currency,
        any_value(store_id) as store_id,
        arg_max(currency, _position) as currency,
        max(_landed_at) as inserted_at
    from latest
    group by _integration_id, date_start, date_stop, item, description, store, own_currency

)

select
    sums.date_start,
    sums.date_stop,
    sums.item,
    sums.amount,
    sums.description,
    sums.store as integration_id,
    sums.currency,
    getvariable('organization_id')::varchar as organization_id,
    integrations.integration_name,
    sums.inserted_at,
    integrations.user_id,
    document_key(
        'finance', 'expenses', sums._integration_id,
        [sums.date_start::varchar, sums.date_stop::varchar, sums.item, sums.description, sums.store, sums.own_currency]
    ) as document_id,
    (sums.store is null or sums.store_id is not null) and is_own_currency(sums.own_currency) as counts,
    sums.date_start = sums.date_stop
        and coalesce(json_extract_string(tables.one_day, '$.' || sums.item) = 'month', false) as is_of_month
from sums
join integrations on integrations.integration_id = sums._integration_id
join tables on tables.table_id = sums._integration_id
