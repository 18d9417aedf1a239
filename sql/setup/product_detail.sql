-- What the blocks of one product's detail share [D40].

-- What was sold of the product that the request is about, in its store.
-- Grain: one row per sale.
create macro sales_of_product() as table
    select *
    from product_sales
    where integration_id = requested_store() and product_id = requested_product();

-- Those of the period.
create macro period_sales_of_product() as table
    select *
    from sales_of_product()
    where sold_on between date_from() and date_to();

-- The customers who entered the store through it.
-- Grain: one row per customer.
create macro entries_of_product() as table
    select *
    from product_entries
    where integration_id = requested_store() and product_id = requested_product();

-- Those of the period.
create macro period_entries_of_product() as table
    select *
    from entries_of_product()
    where entered_on between date_from() and date_to();

create macro store_as_of() as (select as_of from asked_store());

-- Bought together and bought after look at the last 12 months.
create macro year_start() as (asked_on() - interval 12 months)::date + 1;
create macro year_end() as asked_on();

-- What each block says of itself, whatever it holds: what is old goes first, then what has nothing to stand on.
create macro block_state(as_of, has_base) as
    case when is_stale(as_of) then 'stale' when has_base then 'ready' else 'no_base' end;
create macro block_reason(as_of, has_base, reason_without_base) as
    case when is_stale(as_of) then 'stale_source' when not has_base then reason_without_base end;
create macro requested_window() as {'from': date_from(), 'to': date_to()};
create macro year_window() as {'from': year_start(), 'to': year_end()};
