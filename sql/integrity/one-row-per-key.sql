-- One row per key in each relation, and one row where there is one organization.

with

keys as (

    select 'orders' as relation, concat_ws(' ', integration_id, order_id) as key from orders
    union all
    select 'order_lines', concat_ws(' ', integration_id, order_id, line_no) from order_lines
    union all
    select 'customers', customer_no::varchar from customers
    union all
    select 'campaigns', concat_ws(' ', connector, campaign_key) from campaigns
    union all
    select 'media_spend', concat_ws(' ', connector, campaign_key, spent_on) from media_spend
    union all
    select 'integrations', integration_id from integrations
    union all
    select 'products', concat_ws(' ', integration_id, product_id) from products
    union all
    select 'product_names', concat_ws(' ', integration_id, product_id) from product_names
    union all
    select 'categories', concat_ws(' ', integration_id, category_id) from categories
    union all
    select 'site_events', concat_ws(' ', happened_on, event_name) from site_events
    union all
    select 'sales', concat_ws(' ', integration_id, order_id) from sales
    union all
    select 'product_sales', concat_ws(' ', integration_id, order_id, product_id) from product_sales
    union all
    select 'product_stores', integration_id from product_stores
    union all
    select 'product_identities', concat_ws(' ', integration_id, product_id) from product_identities
    union all
    select 'product_categories', concat_ws(' ', integration_id, category_id, rollup_id) from product_categories
    union all
    select 'product_entries', concat_ws(' ', integration_id, product_id, customer_no) from product_entries
    union all
    select 'inventory', concat_ws(' ', integration_id, product_id) from inventory
    union all
    select 'margin', 'one' from margin
    union all
    select 'organization', 'one' from organization

)

select relation, key, count(*) as rows
from keys
group by all
having count(*) <> 1 or key is null
