-- The tables of every reference, with the narrowest types that fit. {{table}} and {{in_order}} are the engine's.
-- ClickHouse stores nothing that is read often as nullable: unless a column is `null`, a missing customer is 0, a missing
-- text empty, and a missing day the first of the calendar.

create {{table}} organization (
    as_of {{instant}},
    horizon_on date,
    has_acquisition_classification boolean,
    margin_percent numeric(5, 2),
    margin_rate numeric(6, 4),
    is_configured boolean,
    completeness text,
    gateway_status text null,
    tax_status text null,
    shipping_status text null,
    cost_of_goods_status text null,
    site_as_of {{instant}} null
) {{in_order: }};

create {{table}} stores (
    store_no smallint,
    integration_id text,
    last_landed_at {{instant}},
    has_returns boolean
) {{in_order: store_no}};

create {{table}} orders (
    order_no int,
    ordered_on date,
    previous_on date,
    previous_monetized_on date,
    revenue numeric(18, 6),
    is_recurring boolean,
    strategy {{label}},
    customer_no int,
    first_on date,
    first_strategy {{label}}
) {{in_order: ordered_on, order_no}};

create {{table}} daily_orders (
    ordered_on date,
    strategy {{label}},
    orders int,
    recurring_orders int,
    revenue numeric(18, 6),
    cost numeric(18, 6),
    revenue_with_cost numeric(18, 6)
) {{in_order: ordered_on, strategy}};

create {{table}} daily_acquisitions (
    first_on date,
    first_month date,
    strategy {{label}},
    customers int,
    repurchase_customers int,
    revenue numeric(18, 6),
    retention_revenue numeric(18, 6)
) {{in_order: first_on, strategy}};

create {{table}} customer_months (
    customer_no int,
    first_on date,
    first_month date,
    month_no smallint,
    strategy {{label}},
    revenue numeric(18, 6),
    direct_revenue numeric(18, 6),
    repeat_revenue numeric(18, 6)
) {{in_order: first_on, customer_no, month_no}};

create {{table}} daily_cohorts (
    first_on date,
    first_month date,
    strategy {{label}},
    month_no smallint,
    customers int,
    revenue numeric(18, 6),
    direct_revenue numeric(18, 6),
    repeat_revenue numeric(18, 6)
) {{in_order: first_on, strategy, month_no}};

create {{table}} daily_spend (
    spent_on date,
    spent_month date,
    strategy {{label}},
    spend numeric(18, 6),
    impressions numeric(18, 6)
) {{in_order: spent_on, strategy}};

create {{table}} daily_site_events (
    happened_on date,
    interest bigint,
    decision bigint
) {{in_order: happened_on}};

create {{table}} first_purchases (
    first_on date,
    customer_no int,
    product_no int,
    has_repurchased boolean
) {{in_order: first_on, customer_no, product_no}};

create {{table}} sales (
    store_no smallint,
    order_no int,
    sold_at {{instant}},
    purchased_at {{instant}},
    sold_on date,
    customer_no int,
    is_recurring boolean
) {{in_order: store_no, sold_on, order_no}};

create {{table}} product_sales (
    store_no smallint,
    product_no int,
    order_no int,
    sold_at {{instant}},
    purchased_at {{instant}},
    sold_on date,
    customer_no int,
    is_recurring boolean,
    coupon {{label}},
    units int,
    returned_units int,
    units_with_value int,
    units_with_cost int,
    gross_value numeric(18, 6),
    net_value numeric(18, 6),
    kept_cost numeric(18, 6)
) {{in_order: store_no, product_no, sold_on}};

create {{table}} product_entries (
    store_no smallint,
    product_no int,
    customer_no int,
    entered_on date,
    channel {{label}},
    net_revenue_180 numeric(18, 6),
    net_revenue numeric(18, 6),
    has_repurchased_180 boolean,
    has_repurchased boolean
) {{in_order: store_no, product_no, entered_on}};

create {{table}} product_site_days (
    product_no int,
    happened_on date,
    views bigint,
    add_to_carts bigint,
    checkouts bigint,
    purchases bigint
) {{in_order: product_no, happened_on}};

create {{table}} products (
    product_no int,
    store_no smallint,
    category_no smallint,
    product_id text,
    name text null,
    label text null,
    is_known boolean,
    is_catalogued boolean,
    is_active boolean,
    image_url text null,
    updated_at {{millisecond}} null,
    stock_state {{label}},
    available int null,
    skus int,
    skus_read int,
    stock_read_at {{instant}} null
) {{in_order: store_no, product_id}};

create {{table}} categories (
    store_no smallint,
    category_no smallint,
    rollup_no smallint,
    rollup_id text,
    rollup_name text null,
    rollup_parent_id text null,
    rollup_depth int,
    place bigint
) {{in_order: store_no, category_no, rollup_no}};
