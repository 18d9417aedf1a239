-- The data of the other engines: the derived files of an organization, with the texts that identify stores, orders,
-- products and categories replaced by numbers, as is usual in tables for those engines. They get the same preparation as
-- the service's files: the same facts, and sums per day of what can be summed.
-- Each view of `loaded` becomes a table of the engine, in the order of the view's rows.
-- `{folder}`: the folder of the generation.

create schema marts;

create view marts.integrations as from read_parquet('{folder}/integrations.parquet', hive_partitioning = false);
create view marts.organization as from read_parquet('{folder}/organization.parquet', hive_partitioning = false);
create view marts.margin as from read_parquet('{folder}/margin.parquet', hive_partitioning = false);
create view marts.orders as from read_parquet('{folder}/orders.*parquet', hive_partitioning = false);
create view marts.order_lines as from read_parquet('{folder}/order_lines.*parquet', hive_partitioning = false);
create view marts.customers as from read_parquet('{folder}/customers.parquet', hive_partitioning = false);
create view marts.media_spend as from read_parquet('{folder}/media_spend.parquet', hive_partitioning = false);
create view marts.sales as from read_parquet('{folder}/sales.*parquet', hive_partitioning = false);
create view marts.product_sales as from read_parquet('{folder}/product_sales.*parquet', hive_partitioning = false);
create view marts.product_entries as from read_parquet('{folder}/product_entries.parquet', hive_partitioning = false);
create view marts.products as from read_parquet('{folder}/products.parquet', hive_partitioning = false);
create view marts.product_names as from read_parquet('{folder}/product_names.parquet', hive_partitioning = false);
create view marts.product_identities as from read_parquet('{folder}/product_identities.parquet', hive_partitioning = false);
create view marts.product_categories as from read_parquet('{folder}/product_categories.parquet', hive_partitioning = false);
create view marts.product_items as from read_parquet('{folder}/product_items.parquet', hive_partitioning = false);
create view marts.product_stores as from read_parquet('{folder}/product_stores.parquet', hive_partitioning = false);
create view marts.inventory as from read_parquet('{folder}/inventory.parquet', hive_partitioning = false);
create view marts.site_events as from read_parquet('{folder}/site_events.parquet', hive_partitioning = false);
create view marts.site_items as from read_parquet('{folder}/site_items.parquet', hive_partitioning = false);

-- Numbered by id.
create table order_numbers as
select row_number() over (order by order_id, integration_id)::int as order_no, integration_id, order_id
from marts.orders;

create table product_numbers as
select row_number() over (order by integration_id, product_id)::int as product_no, integration_id, product_id
from (
    select integration_id, product_id from marts.product_identities
    union
    select integration_id, product_id from marts.order_lines where product_id is not null
);

-- Products without a category are in one category of all stores.
create table category_numbers as
select (row_number() over (order by integration_id nulls first, category_id))::smallint as category_no, *
from (
    select distinct
        case when category_id <> 'uncategorized' then integration_id end as integration_id,
        category_id
    from marts.product_categories
);

create schema loaded;

create view loaded.organization as
select
    timezone('UTC', organization.as_of) as as_of,
    organization.horizon_on,
    organization.has_acquisition_classification,
    margin.margin_percent,
    margin.margin_rate,
    margin.is_configured,
    margin.completeness,
    margin.item_status.gateway as gateway_status,
    margin.item_status.tax as tax_status,
    margin.item_status.shipping as shipping_status,
    margin.item_status."costOfGoods" as cost_of_goods_status,
    (select timezone('UTC', min(last_landed_at)) from marts.integrations where kind = 'analytics') as site_as_of
from marts.organization as organization
cross join marts.margin as margin;

create view loaded.stores as
select "position"::smallint as store_no, integration_id, timezone('UTC', last_landed_at) as last_landed_at, has_returns
from marts.product_stores
order by store_no;

-- What cannot be summed over days: who came back, and what the customers of a period bought in it. An order without a
-- previous one has its own day there.
create view loaded.orders as
select
    order_numbers.order_no,
    orders.ordered_on,
    coalesce(orders.previous_on, orders.ordered_on) as previous_on,
    orders.previous_monetized_on,
    orders.revenue,
    orders.is_recurring,
    orders.strategy,
    orders.customer_no::int as customer_no,
    orders.first_on,
    orders.first_strategy
from marts.orders
join order_numbers using (integration_id, order_id)
order by orders.ordered_on, order_numbers.order_no;

create view loaded.daily_orders as
select
    ordered_on,
    strategy,
    count(*)::int as orders,
    (count(*) filter (where is_recurring))::int as recurring_orders,
    sum(revenue)::decimal(18, 6) as revenue,
    coalesce(sum(cost) filter (where has_real_cost), 0)::decimal(18, 6) as cost,
    coalesce(sum(revenue) filter (where has_real_cost), 0)::decimal(18, 6) as revenue_with_cost
from marts.orders
group by ordered_on, strategy
order by ordered_on, strategy;

create view loaded.daily_acquisitions as
select
    first_on,
    first_month,
    strategy,
    count(*)::int as customers,
    (count(*) filter (where has_repurchased))::int as repurchase_customers,
    sum(revenue)::decimal(18, 6) as revenue,
    sum(retention_revenue)::decimal(18, 6) as retention_revenue
from marts.customers
group by first_on, first_month, strategy
order by first_on, strategy;

create view loaded.customer_months as
select
    customer_no::int as customer_no,
    first_on,
    first_month,
    date_diff('month', first_month, greatest(ordered_month, first_month))::smallint as month_no,
    any_value(first_strategy) as strategy,
    sum(revenue)::decimal(18, 6) as revenue,
    coalesce(sum(revenue) filter (where not is_recurring), 0)::decimal(18, 6) as direct_revenue,
    coalesce(sum(revenue) filter (where is_recurring), 0)::decimal(18, 6) as repeat_revenue
from marts.orders
where customer_no is not null
group by customer_no, first_on, first_month, month_no
order by first_on, customer_no, month_no;

create view loaded.daily_cohorts as
select
    first_on,
    first_month,
    strategy,
    month_no,
    count(*)::int as customers,
    sum(revenue)::decimal(18, 6) as revenue,
    sum(direct_revenue)::decimal(18, 6) as direct_revenue,
    sum(repeat_revenue)::decimal(18, 6) as repeat_revenue
from loaded.customer_months
group by first_on, first_month, strategy, month_no
order by first_on, strategy, month_no;

create view loaded.daily_spend as
select
    spent_on,
    date_trunc('month', spent_on)::date as spent_month,
    strategy,
    sum(spend)::decimal(18, 6) as spend,
    sum(impressions)::decimal(18, 6) as impressions
from marts.media_spend
group by spent_on, strategy
order by spent_on, strategy;

create view loaded.daily_site_events as
select
    site_events.happened_on,
    coalesce(sum(event_count) filter (where list_contains(organization.interest_events, site_events.event_name)), 0)::bigint
        as interest,
    coalesce(sum(event_count) filter (where list_contains(organization.decision_events, site_events.event_name)), 0)::bigint
        as decision
from marts.site_events
cross join marts.organization as organization
group by site_events.happened_on
order by site_events.happened_on;

-- The products of each customer's first purchase, in any store.
create view loaded.first_purchases as
select distinct
    orders.first_on,
    orders.customer_no::int as customer_no,
    product_numbers.product_no,
    customers.has_repurchased
from marts.orders
join marts.order_lines using (integration_id, order_id)
join product_numbers using (integration_id, product_id)
join marts.customers using (customer_no)
where not orders.is_recurring and order_lines.sold_units > 0
order by first_on, customer_no, product_no;

create view loaded.sales as
select
    integrations.position::smallint as store_no,
    order_numbers.order_no,
    timezone('UTC', sales.sold_at) as sold_at,
    timezone('UTC', sales.purchased_at) as purchased_at,
    sales.sold_on,
    sales.customer_no::int as customer_no,
    sales.is_recurring
from marts.sales
join order_numbers using (integration_id, order_id)
join marts.integrations using (integration_id)
order by store_no, sales.sold_on, order_numbers.order_no;

create view loaded.product_sales as
select
    integrations.position::smallint as store_no,
    product_numbers.product_no,
    order_numbers.order_no,
    timezone('UTC', product_sales.sold_at) as sold_at,
    timezone('UTC', product_sales.purchased_at) as purchased_at,
    product_sales.sold_on,
    product_sales.customer_no::int as customer_no,
    product_sales.is_recurring,
    product_sales.coupon,
    product_sales.units::int as units,
    product_sales.returned_units::int as returned_units,
    coalesce(product_sales.units_with_value, 0)::int as units_with_value,
    coalesce(product_sales.units_with_cost, 0)::int as units_with_cost,
    product_sales.gross_value::decimal(18, 6) as gross_value,
    product_sales.net_value::decimal(18, 6) as net_value,
    product_sales.kept_cost::decimal(18, 6) as kept_cost
from marts.product_sales
join order_numbers using (integration_id, order_id)
join product_numbers using (integration_id, product_id)
join marts.integrations using (integration_id)
order by store_no, product_numbers.product_no, product_sales.sold_on, order_numbers.order_no;

create view loaded.product_entries as
select
    integrations.position::smallint as store_no,
    product_numbers.product_no,
    product_entries.customer_no::int as customer_no,
    product_entries.entered_on,
    product_entries.channel,
    product_entries.net_revenue_180::decimal(18, 6) as net_revenue_180,
    product_entries.net_revenue::decimal(18, 6) as net_revenue,
    product_entries.has_repurchased_180,
    product_entries.has_repurchased
from marts.product_entries
join product_numbers using (integration_id, product_id)
join marts.integrations using (integration_id)
order by store_no, product_numbers.product_no, product_entries.entered_on, product_entries.customer_no;

create view loaded.product_site_days as
select
    product_numbers.product_no,
    site_items.happened_on,
    sum(site_items.views)::bigint as views,
    sum(site_items.add_to_carts)::bigint as add_to_carts,
    sum(site_items.checkouts)::bigint as checkouts,
    sum(site_items.purchases)::bigint as purchases
from marts.site_items
join marts.product_items using (item_id)
join product_numbers using (integration_id, product_id)
group by product_numbers.product_no, site_items.happened_on
order by product_numbers.product_no, site_items.happened_on;

-- A product that is only in orders that are not sales has no identity, but may be in a first purchase.
create view loaded.products as
select
    product_numbers.product_no,
    integrations.position::smallint as store_no,
    category_numbers.category_no,
    product_numbers.product_id,
    product_identities.name,
    coalesce(products.name, product_names.name) as label,
    product_identities.product_id is not null as is_known,
    coalesce(product_identities.is_catalogued, false) as is_catalogued,
    coalesce(product_identities.is_active, false) as is_active,
    product_identities.image_url,
    timezone('UTC', product_identities.updated_at) as updated_at,
    coalesce(inventory.state, 'unknown') as stock_state,
    inventory.available::int as available,
    coalesce(inventory.skus, 0)::int as skus,
    coalesce(inventory.skus_read, 0)::int as skus_read,
    timezone('UTC', inventory.read_at) as stock_read_at
from product_numbers
join marts.integrations using (integration_id)
left join marts.product_identities using (integration_id, product_id)
left join marts.products using (integration_id, product_id)
left join marts.product_names using (integration_id, product_id)
left join marts.inventory using (integration_id, product_id)
join category_numbers
    on category_numbers.category_id = coalesce(product_identities.category_id, 'uncategorized')
    and (category_numbers.integration_id = product_numbers.integration_id or category_numbers.category_id = 'uncategorized')
order by product_numbers.product_no;

-- Each category of a store with each that contains it, itself included.
create view loaded.categories as
select
    integrations.position::smallint as store_no,
    category_numbers.category_no,
    rollups.category_no as rollup_no,
    product_categories.rollup_id,
    product_categories.rollup_name,
    product_categories.rollup_parent_id,
    product_categories.rollup_depth,
    product_categories.place
from marts.product_categories
join marts.integrations using (integration_id)
join category_numbers
    on category_numbers.category_id = product_categories.category_id
    and (category_numbers.integration_id = product_categories.integration_id or category_numbers.category_id = 'uncategorized')
join category_numbers as rollups
    on rollups.category_id = product_categories.rollup_id
    and (rollups.integration_id = product_categories.integration_id or rollups.category_id = 'uncategorized')
order by store_no, category_numbers.category_no, rollups.category_no;
