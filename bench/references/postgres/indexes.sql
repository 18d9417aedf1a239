-- Indexes that contain everything the questions read of a range, so that tables are not read.

create unique index on orders (order_no) include (customer_no, is_recurring, first_on, first_month);
create index on orders (ordered_on)
    include (ordered_month, customer_no, first_on, first_strategy, strategy, is_recurring, revenue, has_real_cost, cost);
create index on orders (first_on) include (first_month, ordered_month, first_strategy, revenue);
create index on orders (customer_no) include (first_month, ordered_month, revenue, is_recurring);

create index on order_lines (order_no) include (product_no, sold_units);

create unique index on customers (customer_no);
create index on customers (first_on) include (first_month, strategy, revenue, retention_revenue);

create index on media_spend (spent_on) include (connector, campaign_key, strategy, spend);

create index on sales (store_no, sold_on) include (customer_no, sold_at, order_no, is_recurring);
create index on sales (customer_no, store_no) include (sold_on, sold_at, order_no, is_recurring);

create index on product_sales (store_no, sold_on) include (
    product_no, order_no, customer_no, sold_at, is_recurring, units, returned_units, units_with_value, units_with_cost,
    gross_value, net_value, kept_cost
);
create index on product_sales (product_no, sold_on) include (
    order_no, customer_no, sold_at, is_recurring, coupon, units, returned_units, units_with_value, units_with_cost,
    gross_value, net_value, kept_cost
);
create index on product_sales (order_no) include (product_no, customer_no);

create index on product_entries (store_no, entered_on)
    include (product_no, customer_no, net_revenue_180, net_revenue, has_repurchased_180, has_repurchased);
create index on product_entries (product_no, entered_on)
    include (customer_no, channel, net_revenue_180, net_revenue, has_repurchased_180, has_repurchased);
