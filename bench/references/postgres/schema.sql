-- The tables, with the narrowest types that fit. They are made again for each measurement: their content needs no log.

create function amount(figure numeric) returns numeric language sql immutable parallel safe
    return round(round(figure, 8), 2);
create function ratio(quotient numeric) returns numeric language sql immutable parallel safe
    return round(round(quotient, 8), 4);

create unlogged table organization (
    horizon_on date not null,
    has_acquisition_classification boolean not null,
    margin_rate numeric(6, 4) not null,
    is_configured boolean not null
);

create unlogged table stores (
    store_no smallint primary key,
    integration_id uuid not null unique,
    last_landed_at timestamp,
    has_returns boolean not null
);

create unlogged table orders (
    order_no int not null,
    store_no smallint not null,
    ordered_on date not null,
    ordered_month date not null,
    revenue numeric(18, 6) not null,
    cost numeric(18, 6),
    has_real_cost boolean not null,
    is_recurring boolean not null,
    strategy text collate "C",
    customer_no int,
    first_on date,
    first_month date,
    first_channel text collate "C",
    first_campaign_key text collate "C",
    first_strategy text collate "C",
    first_coupon text collate "C"
);

create unlogged table order_lines (
    order_no int not null,
    line_no smallint not null,
    product_no int,
    sold_units int not null
);

create unlogged table customers (
    customer_no int not null,
    first_on date not null,
    first_month date not null,
    channel text collate "C",
    campaign_key text collate "C",
    strategy text collate "C",
    coupon text collate "C",
    revenue numeric(18, 6) not null,
    retention_revenue numeric(18, 6) not null
);

create unlogged table media_spend (
    spent_on date not null,
    connector text collate "C" not null,
    campaign_key text collate "C" not null,
    strategy text collate "C",
    spend numeric(18, 6),
    impressions numeric(18, 6)
);

create unlogged table sales (
    store_no smallint not null,
    order_no int not null,
    sold_at timestamp not null,
    sold_on date not null,
    customer_no int,
    is_recurring boolean not null
);

create unlogged table product_sales (
    store_no smallint not null,
    product_no int not null,
    order_no int not null,
    sold_at timestamp not null,
    sold_on date not null,
    customer_no int,
    is_recurring boolean not null,
    coupon text collate "C",
    units int not null,
    returned_units int not null,
    units_with_value int,
    units_with_cost int,
    gross_value numeric(18, 6),
    net_value numeric(18, 6),
    kept_cost numeric(18, 6)
);

create unlogged table product_entries (
    store_no smallint not null,
    product_no int not null,
    customer_no int not null,
    entered_on date not null,
    channel text collate "C",
    net_revenue_180 numeric(18, 6),
    net_revenue numeric(18, 6),
    has_repurchased_180 boolean not null,
    has_repurchased boolean not null
);

create unlogged table products (
    product_no int primary key,
    store_no smallint not null,
    product_id text collate "C" not null,
    name text collate "C",
    is_known boolean not null,
    is_catalogued boolean not null,
    is_active boolean not null,
    category_id text collate "C" not null,
    stock_state text collate "C" not null,
    available bigint,
    unique (store_no, product_id)
);

create unlogged table categories (
    store_no smallint not null,
    category_id text collate "C" not null,
    rollup_id text collate "C" not null,
    rollup_name text collate "C",
    rollup_parent_id text collate "C",
    rollup_depth int not null,
    place bigint not null,
    primary key (store_no, category_id, rollup_id)
);
