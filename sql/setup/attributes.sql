-- Attributes by which figures are broken down [D30], [D87], [D89].
-- Written by `npm run documents` from src/core/contract/attributes.ts.

-- The name of a value that no relation names.
create macro attribute_label(attribute, value_key) as
    case attribute
        when 'store' then null
        when 'channel' then channel_label(value_key)
        when 'payment_group' then payment_group_label(value_key)
        when 'installments' then ltrim(value_key, '0') || 'x'
        when 'hour' then value_key || 'h'
        when 'weekday' then weekday_label(value_key)
        when 'new_or_recurring' then customer_group_label(value_key)
        when 'produto' then null
        when 'categoria' then null
        when 'marca' then value_key
        else value_key
    end;

-- The attribute that `breakBy` names so.
create macro cohort_attribute(name) as
    case name
        when 'loja' then 'store'
        when 'origem' then 'channel'
        when 'campanha' then 'campaign'
        when 'cupom' then 'coupon'
        when 'pagamento' then 'payment_group'
        when 'estado' then 'state'
        when 'cidade' then 'city'
        when 'produto' then 'produto'
        when 'categoria' then 'categoria'
        when 'marca' then 'marca'
        else unknown_choice('break_by', name)
    end;

-- The value of an attribute, in SQL over the columns of orders, of sums of cohorts or of first_lines; of customers in a period over
-- those of valued_orders.
create macro attribute_sql(attribute) as
    case attribute
        when 'store' then 'integration_id'
        when 'channel' then 'channel'
        when 'campaign' then 'campaign_key'
        when 'coupon' then 'coupon'
        when 'payment_group' then 'payment_group'
        when 'installments' then 'two_digits(installments)'
        when 'state' then 'state'
        when 'city' then 'place_key(state, city_key)'
        when 'country' then 'country'
        when 'status' then 'status'
        when 'sales_channel' then 'sales_channel'
        when 'hour' then 'two_digits(hour)'
        when 'weekday' then 'weekday::varchar'
        when 'new_or_recurring' then 'customer_group'
        when 'produto' then 'product_id'
        when 'categoria' then 'coalesce(category_id, ''uncategorized'')'
        when 'marca' then 'brand_key'
        else unknown_choice('attribute', attribute)
    end;

-- What distinguishes its values with the same key, likewise.
create macro attribute_source_sql(attribute) as
    case attribute
        when 'campaign' then 'campaign_connector'
        when 'produto' then 'line_store_id'
        when 'categoria' then 'case when category_id is not null then line_store_id end'
        else 'null::varchar'
    end;

-- The names of its values. A value that is not there has the name of attribute_label.
-- Grain: one row per value and source.
create macro attribute_names(attribute) as table
    from query(
        case attribute
            when 'store' then 'select null::varchar as source, integration_id as value_key, integration_id as shown_key'
                || ', integration_name as label from integrations'
            when 'campaign' then 'select connector as source, campaign_key as value_key, campaign_id as shown_key'
                || ', campaign_name as label from campaigns'
            when 'city' then 'select null::varchar as source, place as value_key, place as shown_key'
                || ', name as label from city_names()'
            when 'produto' then 'select integration_id as source, product_id as value_key, product_id as shown_key'
                || ', name as label from named_products()'
            when 'categoria' then 'select integration_id as source, category_id as value_key, category_id as shown_key'
                || ', name as label from categories'
            when 'marca' then 'select null::varchar as source, brand_key as value_key, brand_key as shown_key'
                || ', name as label from brand_names()'
            else 'select null::varchar as source, null::varchar as value_key, null::varchar as shown_key'
                || ', null::varchar as label from organization where false'
        end
    );

-- Those of orders, those that the daily sums of cohorts have, those with spend of their own, those of lines, and those that only purchases
-- of products have.
create macro attributes_of_orders() as [
    'store',
    'channel',
    'campaign',
    'coupon',
    'payment_group',
    'installments',
    'state',
    'city',
    'country',
    'status',
    'sales_channel',
    'hour',
    'weekday',
    'new_or_recurring'
];
create macro attributes_of_sums() as ['store', 'channel', 'campaign', 'coupon'];
create macro attributes_with_spend() as ['store', 'channel', 'campaign'];
create macro attributes_of_lines() as ['produto', 'categoria', 'marca'];
create macro attributes_of_products() as ['produto', 'categoria'];
