-- The campaigns of /acquisition/campaigns contain all spend of the period, and not more orders, revenue and new
-- customers than there are: an order without a campaign is in none. Each amount is rounded, by half a cent at most; an
-- order of a negative value may be in no campaign.

with

campaigns_of_period as (

    select
        count(*) as campaigns,
        coalesce(sum(investment::decimal(18, 2)), 0) as investment,
        coalesce(sum(orders), 0) as orders,
        coalesce(sum(revenue::decimal(18, 2)), 0) as revenue,
        coalesce(sum("newCustomers"), 0) as new_customers,
        coalesce(sum("newCustomers") filter (where strategy = 'acquisition'), 0) as acquisition_new_customers
    from acquisition_campaigns
    where period_start() is not null

)

select campaigns_of_period.*, cards.investment, cards.orders, cards.revenue, cards."newCustomers"
from campaigns_of_period
cross join profitability_cards as cards
where period_start() is not null
    and (
        abs(campaigns_of_period.investment - cards.investment::decimal(18, 2)) > 0.005 * (campaigns_of_period.campaigns + 1)
        or campaigns_of_period.orders > cards.orders
        or (
            not exists (from orders where revenue < 0)
            and campaigns_of_period.revenue
                > cards.revenue::decimal(18, 2) + 0.005 * (campaigns_of_period.campaigns + 1)
        )
        or campaigns_of_period.new_customers > cards."newCustomers"
        or campaigns_of_period.acquisition_new_customers <> cards."acquisitionNewCustomers"
    )
