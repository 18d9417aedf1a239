-- By any attribute of their orders, the rows of a period are all of its orders [D89]: each order is in one of them. Their figures add up
-- to the total to the cent, and the total is the cards. Also of the period compared with.

with

parts as (

    select
        count(*) as rows,
        coalesce(sum(orders), 0) as orders,
        coalesce(sum("newCustomers"), 0) as new_customers,
        coalesce(sum("recurringOrders"), 0) as recurring_orders,
        coalesce(sum(revenue::decimal(18, 2)), 0) as revenue,
        sum(discount::decimal(18, 2)) as discount,
        coalesce(sum(contribution2::decimal(18, 2)), 0) as contribution2,
        coalesce(bool_or(contribution2 is null), false) as has_unknown,
        sum(previous.revenue::decimal(18, 2)) as previous_revenue,
        sum(previous.orders) as previous_orders
    from profitability_breakdown

)

select
    parts.*,
    total.orders as "ordersOfTotal",
    total.revenue as "revenueOfTotal",
    total.contribution2 as "contribution2OfTotal",
    cards.orders as "ordersOfCards",
    cards.revenue as "revenueOfCards"
from parts
cross join profitability_breakdown_total as total
cross join profitability_cards as cards
where parts.orders <> total.orders
    or parts.new_customers <> total."newCustomers"
    or parts.recurring_orders <> total."recurringOrders"
    or parts.revenue <> total.revenue::decimal(18, 2)
    or parts.rows > 0 and parts.discount is distinct from total.discount::decimal(18, 2)
    or not parts.has_unknown and parts.contribution2 is distinct from total.contribution2::decimal(18, 2)
    or parts.has_unknown and total.contribution2 is not null
    or parts.rows > 0 and parts.previous_revenue is distinct from total.previous.revenue::decimal(18, 2)
    or parts.rows > 0 and parts.previous_orders is distinct from total.previous.orders
    or total.orders <> cards.orders
    or total.revenue::decimal(18, 2) <> cards.revenue::decimal(18, 2)
    or total."newCustomers" <> cards."newCustomers"
    or total."recurringOrders" <> cards."recurringOrders"
