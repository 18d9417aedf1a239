-- Grain: one object per order of the second store, as its REST API gives it; amounts in units, as text.
select
    7000000000000 + number as id,
    '#' || number as name,
    number as order_number,
    email,
    iso(ordered_at) as created_at,
    iso(ordered_at) as processed_at,
    iso(ordered_at + interval 1 day) as updated_at,
    if(state < 2, iso(ordered_at + interval 1 hour), null) as cancelled_at,
    state = 50 as test,
    getvariable('currency') as currency,
    if(state between 2 and 3, 'pending', 'paid') as financial_status,
    false as taxes_included,
    ((items_value + shipping) / 100)::decimal(18, 2)::varchar as total_price,
    (items_value / 100)::decimal(18, 2)::varchar as subtotal_price,
    '0.00' as total_discounts,
    '0.00' as total_tax,
    {shop_money: {amount: (shipping / 100)::decimal(18, 2)::varchar, currency_code: getvariable('currency')}} as total_shipping_price_set,
    if(utm_source is null, null,
        'https://loja.exemplo.com.br/?utm_source=' || utm_source || '&utm_medium=' || utm_medium
        || coalesce('&utm_campaign=' || replace(utm_campaign, ' ', '%20'), '')) as landing_site,
    if(coupon is null, [], [{code: coupon, amount: '0.00', type: 'percentage'}]) as discount_codes,
    {id: 9000000000000 + customer, email: email} as customer,
    list_transform(lines, lambda l: {
        id: 6000000000000 + number * 10 + l.line_no,
        product_id: 8000000000000 + l.product,
        variant_id: 4000000000000 + l.product,
        sku: 'SKU-' || l.product,
        title: name_of(l.product),
        quantity: l.quantity,
        current_quantity: l.quantity,
        price: (l.price / 100)::decimal(18, 2)::varchar,
        total_discount: '0.00',
        discount_allocations: []::struct(amount varchar)[],
        tax_lines: []::struct(price varchar)[],
        gift_card: false
    }) as line_items,
    if(state >= 97, [{
        id: 5000000000000 + number,
        created_at: iso(ordered_at + interval 12 day),
        refund_line_items: [{
            line_item_id: 6000000000000 + number * 10 + 1, quantity: lines[1].quantity, restock_type: 'return'
        }]
    }], []) as refunds
from shop_orders
where store = 'b'
    and ordered_at >= getvariable('from_at')::timestamptz
    and ordered_at < getvariable('to_at')::timestamptz
order by number
