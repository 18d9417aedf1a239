-- What the values of attributes are made of [D87], [D89]; `attributes.sql` has the attributes.

-- A number whose text sorts as it does.
create macro two_digits(number) as if(number < 10, '0', '') || number;

-- A city of a state; null without a city.
create macro place_key(state, city_key) as coalesce(state, '') || '/' || city_key;

-- The customer of a counted order in some days, (first_on, last_on): new, if the first order is in them, or recurring, if it is before.
create macro customer_group_in(customer_no, acquired_on, days) as
    case
        when customer_no is null then 'anonymous'
        when acquired_on between days.first_on and days.last_on then 'new'
        when acquired_on < days.first_on then 'recurring'
    end;

-- Whether two values are one: null is a value, too.
create macro is_same(one, other) as one is not distinct from other;

-- The spelling of each city that most counted orders have, of equals the first as text, with its state.
-- Grain: one row per city of a state.
create macro city_names() as table
    select place, arg_min(name, (-orders, name)) as name
    from (
        select place_key(state, city_key) as place, city || coalesce('/' || state, '') as name, count(*) as orders
        from orders
        where city_key is not null
        group by all
    )
    group by place;

-- The spelling of each brand that most lines of counted orders have, of equals the first as text.
-- Grain: one row per brand.
create macro brand_names() as table
    select brand_key, arg_min(brand, (-lines, brand)) as name
    from (
        select upper(brand) as brand_key, brand, count(*) as lines
        from order_lines
        where is_counted and brand is not null
        group by all
    )
    group by brand_key;

-- The name of each product: in the catalog, else of the latest sale [D30].
-- Grain: one row per store and product.
create macro named_products() as table
    select integration_id, product_id, coalesce(products.name, product_names.name) as name
    from products
    full join product_names using (integration_id, product_id);
