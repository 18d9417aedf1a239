-- Orders that the analyses do not count, by what keeps them out [D3].
-- Grain: one row per integration, reason (`incomplete`, `replaced`, `cancelled`, `test`, `unpaid`), status as exported
-- and currency.

select
    integration_id,
    uncounted_for,
    status,
    currency,
    count(*) as orders,
    sum(revenue)::decimal(38, 6) as revenue
from identified_orders
where not is_counted
group by all
order by integration_id, uncounted_for, status, currency
