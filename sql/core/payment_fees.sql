-- What payments of orders cost, from statements of acquirers and gateways. The rows of one key in a file add up; of several files
-- the one that landed last counts.
-- Grain: one row per finance integration, store, order, day of the statement and currency. `integration_id` is the store, as
-- written if the settings do not name it; `store_id` the store that the fee counts for, as in `product_costs`.
-- Follows [D71].
-- Variables: settings, organization_id.
-- Key: document_id
-- Kept for: analyses
-- Order: order_id, document_id

with

understood as (

    select
        fees.*,
        finance_stores.store_id,
        coalesce(finance_stores.store_id, fees.integration_id) as store,
        currency_of(fees.currency) as own_currency
    from staging.finance_payment_fees as fees
    left join finance_stores on finance_stores.written is not distinct from normalized(fees.integration_id)

),

latest as (

    select *
    from understood
    qualify rank() over (
        partition by _integration_id, store, order_id, "date", own_currency
        order by _landing desc, _file_no desc
    ) = 1

),

sums as (

    select
        _integration_id,
        store,
        order_id,
        sum(fee)::decimal(18, 6) as fee,
        "date",
        own_currency,
        bool_or(integration_id is not null) as names_store,
        any_value(store_id) as store_id,
        arg_max(currency, _position) as currency,
        max(_landed_at) as inserted_at
    from latest
    group by _integration_id, store, order_id, "date", own_currency

)

select
    case when sums.names_store then sums.store end as integration_id,
    sums.order_id,
    sums.fee,
    sums."date",
    sums.currency,
    getvariable('organization_id')::varchar as organization_id,
    integrations.integration_name,
    sums.inserted_at,
    integrations.user_id,
    document_key(
        'finance', 'payment-fees', sums._integration_id,
        [sums.store, sums.order_id, sums."date"::varchar, sums.own_currency]
    ) as document_id,
    case when is_own_currency(sums.own_currency) then sums.store_id end as store_id
from sums
join integrations on integrations.integration_id = sums._integration_id
