-- The data of the other engines: the derived files of an organization, fact by fact; the texts that
-- identify stores, orders and products are replaced by numbers, as is usual in tables for those engines.
-- Each view of `loaded` becomes a table of the engine, in the order of the view's rows.
-- `{folder}`: the folder of the generation.

create schema marts;

create view marts.integrations as from read_parquet('{folder}/integrations.parquet', hive_partitioning = false);
create view marts.orders as from read_parquet('{folder}/orders*.parquet', hive_partitioning = false);
create view marts.order_lines as from read_parquet('{folder}/order_lines*.parquet', hive_partitioning = false);
create view marts.customers as from read_parquet('{folder}/customers.parquet', hive_partitioning = false);
create view marts.media_spend as from read_parquet('{folder}/media_spend.parquet', hive_partitioning = false);
create view marts.sales as from read_parquet('{folder}/sales*.parquet', hive_partitioning = false);
create view marts.product_sales as from read_parquet('{folder}/product_sales*.parquet', hive_partitioning = false);
create view marts.product_entries as from read_parquet('{folder}/product_entries.parquet', hive_partitioning = false);
create view marts.product_identities as from read_parquet('{folder}/product_identities.parquet', hive_partitioning = false);
create view marts.product_categories as from read_parquet('{folder}/product_categories.parquet', hive_partitioning = false);
create view marts.product_stores as from read_parquet('{folder}/product_stores.parquet', hive_partitioning = false);
create view marts.inventory as from read_parquet('{folder}/inventory.parquet', hive_partitioning = false);

-- Numbered in the order of sale: of sales at one instant the one with the smallest id has the smallest number.
create table order_numbers as
select row_number() over (order by sold_at nulls last, order_id, integration_id)::int as order_no, integration_id, order_id
from (
    select integration_id, order_id, max(sold_at) as sold_at
    from (
        select integration_id, order_id, sold_at from marts.orders
        union all
        select integration_id, order_id, null from marts.order_lines
    )
    group by all
);

create table product_numbers as
select row_number() over (order by integration_id, product_id)::int as product_no, integration_id, product_id
from (
    select integration_id, product_id from marts.product_identities
    union
    select integration_id, product_id from marts.order_lines where product_id is not null
);

create schema loaded;

create view loaded.organization as
select organization.horizon_on, organization.has_acquisition_classification, margin.margin_rate, margin.is_configured
from read_parquet('{folder}/organization.parquet', hive_partitioning = false) as organization
cross join read_parquet('{folder}/margin.parquet', hive_partitioning = false) as margin;

create view loaded.stores as
select "position"::smallint as store_no, integration_id, timezone('UTC', last_landed_at) as last_landed_at, has_returns
from marts.product_stores
order by store_no;

create view loaded.orders as
select
    order_numbers.order_no,
    integrations.position::smallint as store_no,
    orders.ordered_on,
    orders.ordered_month,
    orders.revenue,
    orders.cost,
    orders.has_real_cost,
    orders.is_recurring,
    orders.strategy,
    orders.customer_no::int as customer_no,
    orders.first_on,
    orders.first_month,
    orders.first_channel,
    orders.first_campaign_key,
    orders.first_strategy,
    orders.first_coupon
from marts.orders
join order_numbers using (integration_id, order_id)
join marts.integrations using (integration_id)
order by orders.ordered_on, order_numbers.order_no;

create view loaded.order_lines as
select order_numbers.order_no, order_lines.line_no::smallint as line_no, product_numbers.product_no, order_lines.sold_units::int as sold_units
from marts.order_lines
join order_numbers using (integration_id, order_id)
left join product_numbers using (integration_id, product_id)
order by order_numbers.order_no, order_lines.line_no;

create view loaded.customers as
select
    customer_no::int as customer_no,
    first_on,
    first_month,
    channel,
    campaign_key,
    strategy,
    coupon,
    revenue::decimal(18, 6) as revenue,
    retention_revenue::decimal(18, 6) as retention_revenue
from marts.customers
order by first_on, customer_no;

create view loaded.media_spend as
select spent_on, connector, campaign_key, strategy, spend, impressions
from marts.media_spend
order by spent_on, campaign_key;

create view loaded.sales as
select
    integrations.position::smallint as store_no,
    order_numbers.order_no,
    timezone('UTC', sales.sold_at) as sold_at,
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
    product_sales.sold_on,
    product_sales.customer_no::int as customer_no,
    product_sales.is_recurring,
    product_sales.coupon,
    product_sales.units::int as units,
    product_sales.returned_units::int as returned_units,
    product_sales.units_with_value::int as units_with_value,
    product_sales.units_with_cost::int as units_with_cost,
    product_sales.gross_value,
    product_sales.net_value,
    product_sales.kept_cost
from marts.product_sales
join order_numbers using (integration_id, order_id)
join product_numbers using (integration_id, product_id)
join marts.integrations using (integration_id)
order by store_no, product_sales.sold_on, order_numbers.order_no, product_numbers.product_no;

create view loaded.product_entries as
select
    integrations.position::smallint as store_no,
    product_numbers.product_no,
    product_entries.customer_no::int as customer_no,
    product_entries.entered_on,
    product_entries.channel,
    product_entries.net_revenue_180,
    product_entries.net_revenue,
    product_entries.has_repurchased_180,
    product_entries.has_repurchased
from marts.product_entries
join product_numbers using (integration_id, product_id)
join marts.integrations using (integration_id)
order by store_no, product_entries.entered_on, product_numbers.product_no, product_entries.customer_no;

-- A product that is only in orders that are not sales has no identity.
create view loaded.products as
select
    product_numbers.product_no,
    integrations.position::smallint as store_no,
    product_numbers.product_id,
    product_identities.name,
    product_identities.product_id is not null as is_known,
    coalesce(product_identities.is_catalogued, false) as is_catalogued,
    coalesce(product_identities.is_active, false) as is_active,
    coalesce(product_identities.category_id, 'uncategorized') as category_id,
    coalesce(inventory.state, 'unknown') as stock_state,
    inventory.available as available
from product_numbers
join marts.integrations using (integration_id)
left join marts.product_identities using (integration_id, product_id)
left join marts.inventory using (integration_id, product_id)
order by product_numbers.product_no;

create view loaded.categories as
select
    integrations.position::smallint as store_no,
    product_categories.category_id,
    product_categories.rollup_id,
    product_categories.rollup_name,
    product_categories.rollup_parent_id,
    product_categories.rollup_depth,
    product_categories.place
from marts.product_categories
join marts.integrations using (integration_id)
order by store_no, product_categories.category_id, product_categories.rollup_id;
