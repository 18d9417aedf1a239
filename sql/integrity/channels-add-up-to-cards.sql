-- The channels of /acquisition/channels add up to /cards over the same days [D32]: orders, revenue, spend and new
-- customers. Each amount is rounded, by half a cent at most.

with

channels as (

    select
        count(*) as channels,
        coalesce(sum(investment::decimal(18, 2)), 0) as investment,
        coalesce(sum(orders), 0) as orders,
        coalesce(sum(revenue::decimal(18, 2)), 0) as revenue,
        coalesce(sum("newCustomers"), 0) as new_customers
    from acquisition_channels
    where period_start() is not null

)

select channels.*, cards.investment, cards.orders, cards.revenue, cards."newCustomers"
from channels
cross join profitability_cards as cards
where period_start() is not null
    and (
        abs(channels.investment - cards.investment::decimal(18, 2)) > 0.005 * (channels.channels + 1)
        or channels.orders <> cards.orders
        or abs(channels.revenue - cards.revenue::decimal(18, 2)) > 0.005 * (channels.channels + 1)
        or channels.new_customers <> cards."newCustomers"
    )
