-- Attributes of orders, by which figures are broken down [D89]. An attribute is a branch of `attribute_key`, and one of
-- `attribute_label` if its values have other names than their keys.

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

-- The value that an order has of an attribute; null without one. `order_rows`: a relation with the columns of `orders`; `days`: one
-- with (first_on, last_on), the period in which customers are new or recurring.
create macro attribute_key(attribute, order_rows, days) as
    case attribute
        when 'store' then order_rows.integration_id
        when 'channel' then order_rows.channel
        when 'campaign' then order_rows.campaign_key
        when 'coupon' then order_rows.coupon
        when 'payment_group' then order_rows.payment_group
        when 'installments' then two_digits(order_rows.installments)
        when 'state' then order_rows.state
        when 'city' then place_key(order_rows.state, order_rows.city_key)
        when 'country' then order_rows.country
        when 'status' then order_rows.status
        when 'sales_channel' then order_rows.sales_channel
        when 'hour' then two_digits(order_rows.hour)
        when 'weekday' then order_rows.weekday::varchar
        when 'new_or_recurring' then customer_group_in(order_rows.customer_no, order_rows.first_on, days)
        else unknown_choice('by', attribute)
    end;

-- The name of a value; those of stores, campaigns and cities are in relations.
create macro attribute_label(attribute, value_key) as
    case attribute
        when 'channel' then channel_label(value_key)
        when 'payment_group' then payment_group_label(value_key)
        when 'installments' then ltrim(value_key, '0') || 'x'
        when 'hour' then value_key || 'h'
        when 'weekday' then weekday_label(value_key)
        when 'new_or_recurring' then customer_group_label(value_key)
        else value_key
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
