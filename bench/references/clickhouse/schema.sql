-- The tables, each in the order of its queries. Nothing that is read often is nullable: a missing customer is 0, a
-- missing text is empty, a missing day is the first of the calendar.

create table organization (
    as_of DateTime('UTC'),
    horizon_on Date,
    has_acquisition_classification Bool,
    margin_percent Decimal(5, 2),
    margin_rate Decimal(6, 4),
    is_configured Bool,
    completeness String,
    gateway_status Nullable(String),
    tax_status Nullable(String),
    shipping_status Nullable(String),
    cost_of_goods_status Nullable(String),
    site_as_of Nullable(DateTime('UTC'))
) engine = MergeTree order by ();

create table stores (
    store_no UInt8,
    integration_id String,
    last_landed_at DateTime('UTC'),
    has_returns Bool
) engine = MergeTree order by store_no;

create table orders (
    order_no UInt32,
    ordered_on Date,
    previous_on Date,
    previous_monetized_on Date,
    revenue Decimal(18, 6),
    is_recurring Bool,
    strategy LowCardinality(String),
    customer_no UInt32,
    first_on Date,
    first_strategy LowCardinality(String)
) engine = MergeTree order by (ordered_on, order_no);

create table daily_orders (
    ordered_on Date,
    strategy LowCardinality(String),
    orders UInt32,
    recurring_orders UInt32,
    revenue Decimal(18, 6),
    cost Decimal(18, 6),
    revenue_with_cost Decimal(18, 6)
) engine = MergeTree order by (ordered_on, strategy);

create table daily_acquisitions (
    first_on Date,
    first_month Date,
    strategy LowCardinality(String),
    customers UInt32,
    repurchase_customers UInt32,
    revenue Decimal(18, 6),
    retention_revenue Decimal(18, 6)
) engine = MergeTree order by (first_on, strategy);

create table customer_months (
    customer_no UInt32,
    first_on Date,
    first_month Date,
    month_no UInt16,
    strategy LowCardinality(String),
    revenue Decimal(18, 6),
    direct_revenue Decimal(18, 6),
    repeat_revenue Decimal(18, 6)
) engine = MergeTree order by (first_on, customer_no, month_no);

create table daily_cohorts (
    first_on Date,
    first_month Date,
    strategy LowCardinality(String),
    month_no UInt16,
    customers UInt32,
    revenue Decimal(18, 6),
    direct_revenue Decimal(18, 6),
    repeat_revenue Decimal(18, 6)
) engine = MergeTree order by (first_on, strategy, month_no);

create table daily_spend (
    spent_on Date,
    spent_month Date,
    strategy LowCardinality(String),
    spend Decimal(18, 6),
    impressions Decimal(18, 6)
) engine = MergeTree order by (spent_on, strategy);

create table daily_site_events (
    happened_on Date,
    interest Int64,
    decision Int64
) engine = MergeTree order by happened_on;

create table first_purchases (
    first_on Date,
    customer_no UInt32,
    product_no UInt32,
    has_repurchased Bool
) engine = MergeTree order by (first_on, customer_no, product_no);

create table sales (
    store_no UInt8,
    order_no UInt32,
    sold_at DateTime('UTC'),
    purchased_at DateTime('UTC'),
    sold_on Date,
    customer_no UInt32,
    is_recurring Bool
) engine = MergeTree order by (store_no, sold_on, order_no);

create table product_sales (
    store_no UInt8,
    product_no UInt32,
    order_no UInt32,
    sold_at DateTime('UTC'),
    purchased_at DateTime('UTC'),
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

create table product_site_days (
    product_no UInt32,
    happened_on Date,
    views Int64,
    add_to_carts Int64,
    checkouts Int64,
    purchases Int64
) engine = MergeTree order by (product_no, happened_on);

create table products (
    product_no UInt32,
    store_no UInt8,
    category_no UInt16,
    product_id String,
    name Nullable(String),
    label Nullable(String),
    is_known Bool,
    is_catalogued Bool,
    is_active Bool,
    image_url Nullable(String),
    updated_at Nullable(DateTime64(3, 'UTC')),
    stock_state LowCardinality(String),
    available Nullable(Int64),
    skus UInt32,
    skus_read UInt32,
    stock_read_at Nullable(DateTime('UTC'))
) engine = MergeTree order by (store_no, product_id);

create table categories (
    store_no UInt8,
    category_no UInt16,
    rollup_no UInt16,
    rollup_id String,
    rollup_name Nullable(String),
    rollup_parent_id Nullable(String),
    rollup_depth Int32,
    place Int64
) engine = MergeTree order by (store_no, category_no, rollup_no);

-- Half away from zero, which is not how the engine rounds binary numbers; the missing last digits of a quotient are added.
create function money as amount -> sign(amount) * floor(abs(toFloat64(amount)) * 100 + 0.500001) / 100;
create function ratio as quotient -> sign(quotient) * floor(abs(quotient) * 10000 + 0.500001) / 10000;
-- Quotients are of binary numbers: a decimal one would be cut off.
create function per as (a, b) -> if(b = 0, null, toFloat64(a) / toFloat64(b));
create function change as (figure, previous) -> money(100 * per(toFloat64(figure) - toFloat64(previous), previous));
create function instant_text as instant -> formatDateTime(instant, '%Y-%m-%dT%H:%i:%S.000Z', 'UTC');
create function block_reason as (as_of, asked_at, has_base, reason) ->
    multiIf(as_of < asked_at - interval 24 hour, 'stale_source', not has_base, reason, null);
create function block_state as reason -> multiIf(reason is null, 'ready', reason = 'stale_source', 'stale', 'no_base');
create function channel_label as channel -> transform(
    channel,
    ['searchads', 'socialads', 'organic_search', 'organic_social', 'email', 'affiliate', 'referral', 'direct'],
    ['Busca paga', 'Social pago', 'Busca orgânica', 'Social orgânico', 'E-mail', 'Afiliados', 'Referência', 'Direto'],
    'Outros'
);
