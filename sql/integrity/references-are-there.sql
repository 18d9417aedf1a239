-- What a relation refers to exists: the stores of orders, the orders of lines and sales, the campaigns of spend.

select 'an order of no store' as problem, orders.order_id as what
from orders
anti join integrations on integrations.integration_id = orders.integration_id

union all

select 'an order of no customer', orders.order_id
from orders
anti join customers on customers.customer_no = orders.customer_no
where orders.customer_no is not null

union all

select 'an order of no landed campaign', orders.campaign_key
from orders
anti join campaigns
    on campaigns.connector = orders.campaign_connector and campaigns.campaign_key = orders.campaign_key
where orders.campaign_connector is not null

union all

select 'an order of a landed campaign that does not say so', orders.campaign_key
from orders
semi join campaigns on campaigns.campaign_key = orders.campaign_key
where orders.campaign_connector is null

union all

select 'spend of no campaign, or of another class', media_spend.campaign_key
from media_spend
anti join campaigns
    on campaigns.campaign_key = media_spend.campaign_key
    and campaigns.connector = media_spend.connector
    and campaigns.strategy is not distinct from media_spend.strategy

union all

select 'a sale that is no counted order', sales.order_id
from sales
anti join orders on orders.integration_id = sales.integration_id and orders.order_id = sales.order_id
