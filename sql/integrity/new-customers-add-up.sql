-- New customers are the same everywhere: the points of /new-vs-recurring and, over a period, of
-- /acquisition/new-customers add up to /cards; the channels of each point to the point.

with

totals as (

    select '/new-vs-recurring' as series, coalesce(sum("newCustomers"), 0) as new_customers
    from profitability_new_vs_recurring

    union all

    select '/acquisition/new-customers', coalesce(sum("newCustomers"), 0)
    from acquisition_new_customers

)

select totals.series, null::date as date, totals.new_customers, cards."newCustomers" as expected
from totals
cross join profitability_cards as cards
where totals.new_customers <> cards."newCustomers"

union all

select 'the channels of a point', date, list_sum(map_values(channels::json::map(varchar, bigint))), "newCustomers"
from acquisition_new_customers
where list_sum(map_values(channels::json::map(varchar, bigint))) <> "newCustomers"
