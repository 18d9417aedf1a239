-- The tables, each in the order of its queries. Nothing is nullable: a missing customer is 0, a missing text is empty.

create table organization (
    horizon_on Date,
    has_acquisition_classification Bool,
    margin_rate Decimal(6, 4),
    is_configured Bool
) engine = MergeTree order by ();

create table stores (
    store_no UInt8,
    integration_id String,
    last_landed_at DateTime,
    has_returns Bool
) engine = MergeTree order by store_no;

create table orders (
    order_no UInt32,
    store_no UInt8,
    ordered_on Date,
    ordered_month Date,
    revenue Decimal(18, 6),
    cost Decimal(18, 6),
    has_real_cost Bool,
    is_recurring Bool,
    strategy LowCardinality(String),
    customer_no UInt32,
    first_on Date,
    first_month Date,
    first_channel LowCardinality(String),
    first_campaign_key LowCardinality(String),
    first_strategy LowCardinality(String),
    first_coupon LowCardinality(String)
) engine = MergeTree order by (ordered_on, order_no);

create table order_lines (
    order_no UInt32,
    line_no UInt16,
    product_no UInt32,
    sold_units Int32
) engine = MergeTree order by (order_no, line_no);

create table customers (
    customer_no UInt32,
    first_on Date,
    first_month Date,
    channel LowCardinality(String),
    campaign_key LowCardinality(String),
    strategy LowCardinality(String),
    coupon LowCardinality(String),
    revenue Decimal(18, 6),
    retention_revenue Decimal(18, 6)
) engine = MergeTree order by (first_on, customer_no);

create table media_spend (
    spent_on Date,
    connector LowCardinality(String),
    campaign_key LowCardinality(String),
    strategy LowCardinality(String),
    spend Decimal(18, 6),
    impressions Decimal(18, 6)
) engine = MergeTree order by (spent_on, campaign_key);

create table sales (
    store_no UInt8,
    order_no UInt32,
    sold_at DateTime,
    sold_on Date,
    customer_no UInt32,
    is_recurring Bool
) engine = MergeTree order by (store_no, sold_on, order_no);

create table product_sales (
    store_no UInt8,
    product_no UInt32,
    order_no UInt32,
    sold_at DateTime,
    sold_on Date,
    customer_no UInt32,
    is_recurring Bool,
    coupon LowCardinality(String),
    units Int32,
    returned_units Int32,
    units_with_value Int32,
    units_with_cost Int32,
    gross_value Decimal(18, 6),
    net_value Decimal(18, 6),
    kept_cost Decimal(18, 6)
) engine = MergeTree order by (store_no, product_no, sold_on);

create table product_entries (
    store_no UInt8,
    product_no UInt32,
    customer_no UInt32,
    entered_on Date,
    channel LowCardinality(String),
    net_revenue_180 Decimal(18, 6),
    net_revenue Decimal(18, 6),
    has_repurchased_180 Bool,
    has_repurchased Bool
) engine = MergeTree order by (store_no, product_no, entered_on);

create table products (
    product_no UInt32,
    store_no UInt8,
    product_id String,
    name String,
    is_known Bool,
    is_catalogued Bool,
    is_active Bool,
    category_id LowCardinality(String),
    stock_state LowCardinality(String),
    available Nullable(Int64)
) engine = MergeTree order by (store_no, product_id);

create table categories (
    store_no UInt8,
    category_id LowCardinality(String),
    rollup_id LowCardinality(String),
    rollup_name String,
    rollup_parent_id String,
    rollup_depth Int32,
    place Int64
) engine = MergeTree order by (store_no, category_id, rollup_id);

-- Half away from zero, which is not how the engine rounds binary numbers; the missing last digits of a quotient are added.
create function money as amount -> sign(amount) * floor(abs(toFloat64(amount)) * 100 + 0.500001) / 100;
create function ratio as quotient -> sign(quotient) * floor(abs(quotient) * 10000 + 0.500001) / 10000;
-- Quotients are of binary numbers: a decimal one would be cut off.
create function per as (a, b) -> if(b = 0, null, toFloat64(a) / toFloat64(b));
create function months_between as (a, b) -> toInt32(greatest(dateDiff('month', a, b), 0));
