-- What a unit of a SKU or product costs from a day on, from tables of one's own. Of the rows of one key the last one of the
-- file that landed last counts.
-- Grain: one row per finance integration, store, SKU or product, day and currency. `integration_id` is the store, as written if
-- the settings do not name it; `store_id` the store that the cost counts for. It is null, and the cost does not count, for an
-- unknown store, for none where there are several, and in another currency than the organization's.
-- Follows [D71].
-- Variables: settings, organization_id.
-- Key: document_id
-- Kept for: analyses
-- Order: valid_from nulls last, document_id

with

understood as (

    select
        costs.*,
        finance_stores.store_id,
        coalesce(finance_stores.store_id, costs.integration_id) as store,
        currency_of(costs.currency) as own_currency
    from staging.finance_product_costs as costs
    left join finance_stores on finance_stores.written is not distinct from normalized(costs.integration_id)

),

winners as (

    select *
    from understood
    qualify row_number() over (
        partition by _integration_id, store, sku, product_id, valid_from, own_currency
        order by _landing desc, _file_no desc, _position desc
    ) = 1

)

select
    case when winners.integration_id is not null then winners.store end as integration_id,
    winners.sku,
    winners.product_id,
    winners.cost,
    winners.valid_from,
    winners.currency,
    getvariable('organization_id')::varchar as organization_id,
    integrations.integration_name,
    winners._landed_at as inserted_at,
    integrations.user_id,
    document_key(
        'finance', 'product-costs', winners._integration_id,
        [winners.store, winners.sku, winners.product_id, winners.valid_from::varchar, winners.own_currency]
    ) as document_id,
    integrations.position as finance_position,
    case when is_own_currency(winners.own_currency) then winners.store_id end as store_id
from winners
join integrations on integrations.integration_id = winners._integration_id
