-- Macros of the blocks of a product's detail [D40].

-- The requested product.
-- Grain: one row; no row when the store neither has it in its catalog nor ever sold it.
create macro requested_product() as table
    select *
    from product_identities
    where integration_id = requested_store_id() and product_id = requested_product_id();

-- Sales of the requested product in its store.
-- Grain: one row per sale.
create macro sales_of_product() as table
    select
        product_id,
        order_id,
        sold_at,
        sold_on,
        customer_no,
        is_recurring,
        coupon,
        units,
        returned_units,
        units_with_value,
        units_with_cost,
        gross_value,
        net_value,
        kept_cost
    from product_sales
    where integration_id = requested_store_id() and product_id = requested_product_id();

-- Those of the period.
create macro period_sales_of_product() as table
    from sales_of_product()
    semi join requested_store() as store on sold_on between store.from_on and store.to_on;

-- The customers who entered the store through the product.
-- Grain: one row per customer.
create macro entries_of_product() as table
    select *
    from product_entries
    where integration_id = requested_store_id() and product_id = requested_product_id();

-- Those of the period.
create macro period_entries_of_product() as table
    from entries_of_product()
    semi join requested_store() as store on entered_on between store.from_on and store.to_on;

-- Bought together and bought after cover the last 12 months.
create macro year_start() as (request_day() - interval 12 months)::date + 1;
create macro year_end() as request_day();

-- Sales of the store in those months, each with its products.
-- Grain: one row per sale.
create macro year_sales() as table
    select customer_no, purchased_at, product_ids
    from sales
    where integration_id = requested_store_id() and sold_on between year_start() and year_end();

-- Why a block is not ready, null if it is, and the state that follows. A stale source precedes a missing base.
create macro block_reason(is_stale, has_base, reason_without_base) as
    case when is_stale then 'stale_source' when not has_base then reason_without_base end;
create macro block_state(reason) as
    case when reason is null then 'ready' when reason = 'stale_source' then 'stale' else 'no_base' end;
create macro requested_window(store) as {'from': store.from_on, 'to': store.to_on};
create macro year_window() as {'from': year_start(), 'to': year_end()};
