-- What the analyses stand on: the orders that count, and the currency they are summed in: the one the settings name,
-- else the most frequent [D3], [D4].
-- Grain: one row. Parameters: none.

with

currencies as (

    select currency
    from orders
    where currency is not null
    group by currency
    order by count(*) desc, currency
    limit 1

)

select
    coalesce(organization.currency, (select currency from currencies)) as currency,
    (select count(*) from orders)::int as orders,
    (select money(coalesce(sum(revenue), 0)) from orders) as revenue,
    (select min(ordered_on) from orders) as "firstDay",
    organization.horizon_on as "lastDay"
from organization
