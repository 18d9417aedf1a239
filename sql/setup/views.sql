-- One view per relation over the organization's derived files. A relation may have several files: `orders.000.parquet`.
-- Written by `npm run documents` from the heads of sql/core/*.sql.

-- Folder names are not read as columns: every relation has the columns of its own file only.
create macro mart(relation) as table
    from read_parquet(getvariable('marts') || '/' || relation || '.*parquet', hive_partitioning = false);

create view aliased_orders as from mart('aliased_orders');
create view campaigns as from mart('campaigns');
create view categories as from mart('categories');
create view cohort_days as from mart('cohort_days');
create view customer_days as from mart('customer_days');
create view customer_months as from mart('customer_months');
create view customers as from mart('customers');
create view first_purchases as from mart('first_purchases');
create view integrations as from mart('integrations');
create view inventory as from mart('inventory');
create view landed_records as from mart('landed_records');
create view margin as from mart('margin');
create view media_spend as from mart('media_spend');
create view order_days as from mart('order_days');
create view order_lines as from mart('order_lines');
create view order_statuses as from mart('order_statuses');
create view orders as from mart('orders');
create view organization as from mart('organization');
create view product_categories as from mart('product_categories');
create view product_entries as from mart('product_entries');
create view product_identities as from mart('product_identities');
create view product_items as from mart('product_items');
create view product_names as from mart('product_names');
create view product_sales as from mart('product_sales');
create view product_stores as from mart('product_stores');
create view products as from mart('products');
create view sales as from mart('sales');
create view site_events as from mart('site_events');
create view site_items as from mart('site_items');
