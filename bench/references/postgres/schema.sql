-- The tables, with the narrowest types that fit. They are made again for each measurement: their content needs no log.

create function amount(figure numeric) returns numeric language sql immutable parallel safe
    return round(round(figure, 8), 2);
create function ratio(quotient numeric) returns numeric language sql immutable parallel safe
    return round(round(quotient, 8), 4);
create function change(figure numeric, previous numeric) returns numeric language sql immutable parallel safe
    return round(round(100 * (figure - previous) / nullif(previous, 0), 8), 2);
create function instant_text(instant timestamp) returns text language sql immutable parallel safe
    return to_char(instant, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Why a block is not ready; null if it is.
create function block_reason(as_of timestamp, asked_at timestamp, has_base boolean, reason text)
    returns text language sql immutable parallel safe
    return case when as_of < asked_at - interval '24 hours' then 'stale_source' when not has_base then reason end;
create function block_state(reason text) returns text language sql immutable parallel safe
    return case when reason is null then 'ready' when reason = 'stale_source' then 'stale' else 'no_base' end;

create function channel_label(channel text) returns text language sql immutable parallel safe
    return case channel
        when 'searchads' then 'Busca paga'
        when 'socialads' then 'Social pago'
        when 'organic_search' then 'Busca orgânica'
        when 'organic_social' then 'Social orgânico'
        when 'email' then 'E-mail'
        when 'affiliate' then 'Afiliados'
        when 'referral' then 'Referência'
        when 'direct' then 'Direto'
        else 'Outros'
    end;

create unlogged table organization (
    as_of timestamp,
    horizon_on date,
    has_acquisition_classification boolean not null,
    margin_percent numeric(5, 2) not null,
    margin_rate numeric(6, 4) not null,
    is_configured boolean not null,
    completeness text not null,
    gateway_status text,
    tax_status text,
    shipping_status text,
    cost_of_goods_status text,
    site_as_of timestamp
);

create unlogged table stores (
    store_no smallint primary key,
    integration_id uuid not null unique,
    last_landed_at timestamp,
    has_returns boolean not null
);

create unlogged table orders (
    order_no int not null,
    ordered_on date not null,
    previous_on date,
    previous_monetized_on date,
    revenue numeric(18, 6) not null,
    is_recurring boolean not null,
    strategy text collate "C",
    customer_no int,
    first_on date,
    first_strategy text collate "C"
);

create unlogged table daily_orders (
    ordered_on date not null,
    strategy text collate "C",
    orders int not null,
    recurring_orders int not null,
    revenue numeric(18, 6) not null,
    cost numeric(18, 6) not null,
    revenue_with_cost numeric(18, 6) not null
);

create unlogged table daily_acquisitions (
    first_on date not null,
    first_month date not null,
    strategy text collate "C",
    customers int not null,
    repurchase_customers int not null,
    revenue numeric(18, 6) not null,
    retention_revenue numeric(18, 6) not null
);

create unlogged table customer_months (
    customer_no int not null,
    first_on date not null,
    first_month date not null,
    month_no smallint not null,
    strategy text collate "C",
    revenue numeric(18, 6) not null,
    direct_revenue numeric(18, 6) not null,
    repeat_revenue numeric(18, 6) not null
);

create unlogged table daily_cohorts (
    first_on date not null,
    first_month date not null,
    strategy text collate "C",
    month_no smallint not null,
    customers int not null,
    revenue numeric(18, 6) not null,
    direct_revenue numeric(18, 6) not null,
    repeat_revenue numeric(18, 6) not null
);

create unlogged table daily_spend (
    spent_on date not null,
    spent_month date not null,
    strategy text collate "C",
    spend numeric(18, 6),
    impressions numeric(18, 6)
);

create unlogged table daily_site_events (
    happened_on date not null,
    interest bigint not null,
    decision bigint not null
);

create unlogged table first_purchases (
    first_on date not null,
    customer_no int not null,
    product_no int not null,
    has_repurchased boolean not null
);

create unlogged table sales (
    store_no smallint not null,
    order_no int not null,
    sold_at timestamp not null,
    purchased_at timestamp not null,
    sold_on date not null,
    customer_no int,
    is_recurring boolean not null
);

create unlogged table product_sales (
    store_no smallint not null,
    product_no int not null,
    order_no int not null,
    sold_at timestamp not null,
    purchased_at timestamp not null,
    sold_on date not null,
    customer_no int,
    is_recurring boolean not null,
    coupon text collate "C",
    units int not null,
    returned_units int not null,
    units_with_value int not null,
    units_with_cost int not null,
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

create unlogged table product_site_days (
    product_no int not null,
    happened_on date not null,
    views bigint,
    add_to_carts bigint,
    checkouts bigint,
    purchases bigint
);

create unlogged table products (
    product_no int primary key,
    store_no smallint not null,
    category_no smallint not null,
    product_id text collate "C" not null,
    name text collate "C",
    label text collate "C",
    is_known boolean not null,
    is_catalogued boolean not null,
    is_active boolean not null,
    image_url text,
    updated_at timestamp,
    stock_state text collate "C" not null,
    available int,
    skus int not null,
    skus_read int not null,
    stock_read_at timestamp,
    unique (store_no, product_id)
);

create unlogged table categories (
    store_no smallint not null,
    category_no smallint not null,
    rollup_no smallint not null,
    rollup_id text collate "C" not null,
    rollup_name text collate "C",
    rollup_parent_id text collate "C",
    rollup_depth int not null,
    place bigint not null,
    primary key (store_no, category_no, rollup_no)
);
