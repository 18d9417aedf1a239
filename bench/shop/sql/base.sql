-- A made-up shop of any size: the source of its vendors' exports. The same seed, the same shop.
-- Parameters, as variables: orders (how many), products (how many), seed, first_day (of three years), currency.
-- Every random value is a hash of its purpose, so that a row does not depend on the number of other rows.

create or replace macro draw(thing, number, bound) as
    (hash(thing || ' ' || number::varchar || ' ' || getvariable('seed')::varchar) % bound::ubigint)::bigint;

-- Grain: one row per order. Two of five orders acquire a new customer; the others come back, the early ones more often.
create or replace temp table made_orders as
    select
        number,
        case
            when draw('is new', number, 100) < 40 or number = 1 then number
            else 1 + floor(pow(draw('who', number, 1000000) / 1000000, 1.3) * (number - 1))::bigint
        end as customer,
        (getvariable('first_day')::timestamp
            + to_days(floor(1095 * (number - 1) / getvariable('orders'))::int)
            + to_seconds(draw('when', number, 86400))) at time zone 'UTC' as ordered_at,
        if(draw('store', number, 10) < 8, 'a', 'b') as store,
        draw('state', number, 100) as state,
        1 + draw('lines', number, 4) as line_count,
        draw('visit', number, 100) as visit,
        if(draw('has coupon', number, 10) = 0, 'CUPOM' || (1 + draw('coupon', number, 20)), null) as coupon,
        1 + draw('campaign', number, 10) as campaign,
        1500 as shipping
    from (select unnest(range(1, getvariable('orders')::bigint + 1)) as number);

-- A returning customer is one that an earlier order has acquired.
create or replace temp table orders_with_customers as
    select made_orders.* exclude (customer), coalesce(earlier.customer, made_orders.number) as customer
    from made_orders
    left join made_orders as earlier
        on earlier.number = made_orders.customer
        and earlier.number < made_orders.number
    order by made_orders.number;

-- Grain: one row per line of an order. A few products sell much; one in twenty has no cost.
create or replace temp table made_lines as
    select
        number,
        line_no,
        1 + floor(pow(draw('product', number * 10 + line_no, 1000000) / 1000000, 2) * getvariable('products'))::bigint as product,
        1 + draw('quantity', number * 10 + line_no, 2) as quantity
    from (select number, unnest(range(1, line_count + 1)) as line_no from orders_with_customers);

-- Instants as the vendors write them.
create or replace macro iso(instant) as strftime(instant, '%Y-%m-%dT%H:%M:%SZ');
create or replace macro price_of(product) as 1990 + 10 * (product % 480);
create or replace macro cost_of(product) as if(product % 20 = 0, null, price_of(product) * 45 // 100);
create or replace macro name_of(product) as 'Produto ' || lpad(product::varchar, 5, '0');

-- Grain: one row per order, its lines in a list.
create or replace temp table shop_orders as
    select
        orders_with_customers.*,
        'pessoa' || customer || '@exemplo.com.br' as email,
        case when visit < 20 then 'google' when visit < 40 then 'facebook' when visit < 50 then 'newsletter' when visit < 60 then 'google' end as utm_source,
        case when visit < 40 then 'cpc' when visit < 50 then 'email' when visit < 60 then 'organic' end as utm_medium,
        case when visit < 20 then (21000000000 + campaign)::varchar when visit < 40 then 'Social ' || campaign end as utm_campaign,
        list({
            line_no: line_no, product: product, quantity: quantity, price: price_of(product), cost: cost_of(product)
        } order by line_no) as lines,
        sum(quantity * price_of(product))::bigint as items_value
    from orders_with_customers
    join made_lines using (number)
    group by all
    order by number;
