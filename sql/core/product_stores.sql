-- The stores of the organization, each with the basis of its product analyses [D37].
-- Grain: one row per integration that is a store. `currency` is that of its latest order, otherwise the
-- organization's.
-- Key: integration_id
-- Kept for: analyses
-- Order: position

with

latest_orders as (

    select integration_id, max(ordered_at) as ordered_at
    from orders
    where currency is not null
    group by integration_id

),

currencies as (

    select integration_id, arg_max(currency, order_id) as currency
    from orders
    semi join latest_orders using (integration_id, ordered_at)
    where currency is not null
    group by integration_id

),

sale_days as (

    select integration_id, min(sold_on) as first_sold_on, max(sold_on) as last_sold_on
    from sales
    group by integration_id

),

catalogs as (

    select integration_id, count(*) as products
    from products
    group by integration_id

),

returns as (

    select integration_id, bool_or(returned_units > 0) as has_returns
    from order_lines
    group by integration_id

)

select
    integrations.position,
    integrations.integration_id,
    integrations.integration_name,
    integrations.connector,
    coalesce(currencies.currency, organization.currency) as currency,
    integrations.last_landed_at,
    coalesce(catalogs.products, 0) as products,
    sale_days.first_sold_on,
    sale_days.last_sold_on,
    -- Whether any order of the store, a sale or not, ever recorded a return [D35].
    coalesce(returns.has_returns, false) as has_returns
from integrations
cross join organization
left join currencies on currencies.integration_id = integrations.integration_id
left join sale_days on sale_days.integration_id = integrations.integration_id
left join catalogs on catalogs.integration_id = integrations.integration_id
left join returns on returns.integration_id = integrations.integration_id
where integrations.kind = 'store'
