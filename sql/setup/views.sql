-- One view per relation over the organization's derived files.
-- Written by `npm run documents` from the heads of sql/core/*.sql.

-- Folder names are not read as columns: every relation has the columns of its own files only.

create view aliased_orders as
    from read_parquet(getvariable('marts') || '/aliased_orders.parquet', hive_partitioning = false);
create view campaigns as
    from read_parquet(getvariable('marts') || '/campaigns.parquet', hive_partitioning = false);
create view categories as
    from read_parquet(getvariable('marts') || '/categories.parquet', hive_partitioning = false);
create view cost_rules as
    from read_parquet(getvariable('marts') || '/cost_rules.parquet', hive_partitioning = false);
create view customer_months as
    from read_parquet(getvariable('marts') || '/customer_months.*parquet', hive_partitioning = false);
create view customers as
    from read_parquet(getvariable('marts') || '/customers.parquet', hive_partitioning = false);
create view daily_acquisitions as
    from read_parquet(getvariable('marts') || '/daily_acquisitions.parquet', hive_partitioning = false);
create view daily_acquisitions_by_store as
    from read_parquet(getvariable('marts') || '/daily_acquisitions_by_store.parquet', hive_partitioning = false);
create view daily_category_cohorts as
    from read_parquet(getvariable('marts') || '/daily_category_cohorts.parquet', hive_partitioning = false);
create view daily_cohorts as
    from read_parquet(getvariable('marts') || '/daily_cohorts.parquet', hive_partitioning = false);
create view daily_cohorts_by_store as
    from read_parquet(getvariable('marts') || '/daily_cohorts_by_store.parquet', hive_partitioning = false);
create view daily_expenses as
    from read_parquet(getvariable('marts') || '/daily_expenses.parquet', hive_partitioning = false);
create view daily_orders as
    from read_parquet(getvariable('marts') || '/daily_orders.parquet', hive_partitioning = false);
create view daily_orders_by_store as
    from read_parquet(getvariable('marts') || '/daily_orders_by_store.parquet', hive_partitioning = false);
create view daily_paybacks as
    from read_parquet(getvariable('marts') || '/daily_paybacks.parquet', hive_partitioning = false);
create view daily_profit_amounts as
    from read_parquet(getvariable('marts') || '/daily_profit_amounts.parquet', hive_partitioning = false);
create view daily_profit_facts as
    from read_parquet(getvariable('marts') || '/daily_profit_facts.parquet', hive_partitioning = false);
create view daily_store_orders as
    from read_parquet(getvariable('marts') || '/daily_store_orders.parquet', hive_partitioning = false);
create view daily_totals as
    from read_parquet(getvariable('marts') || '/daily_totals.parquet', hive_partitioning = false);
create view expenses as
    from read_parquet(getvariable('marts') || '/expenses.parquet', hive_partitioning = false);
create view first_purchases as
    from read_parquet(getvariable('marts') || '/first_purchases.*parquet', hive_partitioning = false);
create view integrations as
    from read_parquet(getvariable('marts') || '/integrations.parquet', hive_partitioning = false);
create view inventory as
    from read_parquet(getvariable('marts') || '/inventory.parquet', hive_partitioning = false);
create view landed_records as
    from read_parquet(getvariable('marts') || '/landed_records.parquet', hive_partitioning = false);
create view margin as
    from read_parquet(getvariable('marts') || '/margin.parquet', hive_partitioning = false);
create view media_spend as
    from read_parquet(getvariable('marts') || '/media_spend.parquet', hive_partitioning = false);
create view order_lines as
    from read_parquet(getvariable('marts') || '/order_lines.*parquet', hive_partitioning = false);
create view order_payments as
    from read_parquet(getvariable('marts') || '/order_payments.parquet', hive_partitioning = false);
create view order_sources as
    from read_parquet(getvariable('marts') || '/order_sources.parquet', hive_partitioning = false);
create view order_statuses as
    from read_parquet(getvariable('marts') || '/order_statuses.parquet', hive_partitioning = false);
create view orders as
    from read_parquet(getvariable('marts') || '/orders.*parquet', hive_partitioning = false);
create view organization as
    from read_parquet(getvariable('marts') || '/organization.parquet', hive_partitioning = false);
create view payment_fees as
    from read_parquet(getvariable('marts') || '/payment_fees.parquet', hive_partitioning = false);
create view product_categories as
    from read_parquet(getvariable('marts') || '/product_categories.parquet', hive_partitioning = false);
create view product_costs as
    from read_parquet(getvariable('marts') || '/product_costs.parquet', hive_partitioning = false);
create view product_entries as
    from read_parquet(getvariable('marts') || '/product_entries.parquet', hive_partitioning = false);
create view product_identities as
    from read_parquet(getvariable('marts') || '/product_identities.parquet', hive_partitioning = false);
create view product_items as
    from read_parquet(getvariable('marts') || '/product_items.parquet', hive_partitioning = false);
create view product_names as
    from read_parquet(getvariable('marts') || '/product_names.parquet', hive_partitioning = false);
create view product_sales as
    from read_parquet(getvariable('marts') || '/product_sales.*parquet', hive_partitioning = false);
create view product_stores as
    from read_parquet(getvariable('marts') || '/product_stores.parquet', hive_partitioning = false);
create view products as
    from read_parquet(getvariable('marts') || '/products.parquet', hive_partitioning = false);
create view profit_facts as
    from read_parquet(getvariable('marts') || '/profit_facts.*parquet', hive_partitioning = false);
create view refunds as
    from read_parquet(getvariable('marts') || '/refunds.*parquet', hive_partitioning = false);
create view returned_units as
    from read_parquet(getvariable('marts') || '/returned_units.*parquet', hive_partitioning = false);
create view sales as
    from read_parquet(getvariable('marts') || '/sales.*parquet', hive_partitioning = false);
create view site_events as
    from read_parquet(getvariable('marts') || '/site_events.parquet', hive_partitioning = false);
create view site_items as
    from read_parquet(getvariable('marts') || '/site_items.parquet', hive_partitioning = false);
create view uncounted_orders as
    from read_parquet(getvariable('marts') || '/uncounted_orders.*parquet', hive_partitioning = false);
create view unknown_units as
    from read_parquet(getvariable('marts') || '/unknown_units.*parquet', hive_partitioning = false);
