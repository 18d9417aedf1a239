-- Indexes that contain everything the questions read of a range, so that tables are not read.

create index on orders (ordered_on)
    include (previous_on, previous_monetized_on, first_on, first_strategy, strategy, is_recurring, revenue);

create index on daily_orders (ordered_on);
create index on daily_acquisitions (first_on);
create index on daily_cohorts (first_on);
create index on daily_spend (spent_on);
create index on daily_site_events (happened_on);

create index on customer_months (first_on) include (customer_no, month_no, revenue, direct_revenue, repeat_revenue);
create index on first_purchases (first_on) include (customer_no, product_no, has_repurchased);

create index on sales (store_no, sold_on) include (customer_no, purchased_at, order_no, is_recurring);
create index on sales (customer_no, store_no) include (sold_on, purchased_at, order_no, is_recurring);

create index on product_sales (store_no, sold_on) include (
    product_no, order_no, customer_no, is_recurring, units, returned_units, units_with_value, units_with_cost, gross_value,
    net_value, kept_cost
);
create index on product_sales (product_no, sold_on) include (
    order_no, customer_no, sold_at, purchased_at, is_recurring, coupon, units, returned_units, units_with_value,
    units_with_cost, gross_value, net_value, kept_cost
);
create index on product_sales (order_no) include (product_no, customer_no, store_no);
create index on product_sales (customer_no, purchased_at) include (product_no, store_no, sold_on);

create index on product_entries (store_no, entered_on)
    include (product_no, customer_no, net_revenue_180, net_revenue, has_repurchased_180, has_repurchased);
create index on product_entries (product_no, entered_on)
    include (customer_no, channel, net_revenue_180, net_revenue, has_repurchased_180, has_repurchased);

create index on product_site_days (product_no, happened_on);
create index on products (store_no, category_no);

create unique index on stores (store_no);
create unique index on stores (integration_id);
create unique index on products (product_no);
create unique index on products (store_no, product_id);
create unique index on categories (store_no, category_no, rollup_no);
