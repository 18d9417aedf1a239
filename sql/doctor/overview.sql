-- The basis of the analyses: the counted orders, and the currency they are summed in, which is that of the settings,
-- otherwise the most frequent [D3], [D4].
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
