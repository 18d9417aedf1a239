-- Grain: one object per order of the first store, as its order API gives it; amounts in cents.
select
    number || '-01' as "orderId",
    number::varchar as "sequence",
    number::varchar as "orderGroup",
    case when state < 2 then 'canceled' when state < 4 then 'payment-pending' else 'invoiced' end as status,
    items_value + shipping as "value",
    iso(ordered_at) as "creationDate",
    iso(ordered_at + interval 1 day) as "lastChange",
    if(state between 2 and 3, null, iso(ordered_at + interval 5 minute)) as "authorizedDate",
    if(state < 4, null, iso(ordered_at + interval 1 day)) as "invoicedDate",
    true as "isCompleted",
    {utmSource: utm_source, utmMedium: utm_medium, utmCampaign: utm_campaign, coupon: coupon} as "marketingData",
    [
        {id: 'Items', value: items_value}, {id: 'Discounts', value: 0}, {id: 'Shipping', value: shipping},
        {id: 'Tax', value: 0}
    ] as totals,
    {email: email, userProfileId: 'perfil-' || customer} as "clientProfileData",
    {currencyCode: getvariable('currency')} as "storePreferencesData",
    {packages: if(state >= 97, [{
        type: 'Input',
        issuanceDate: iso(ordered_at + interval 12 day),
        items: [{itemIndex: 0, quantity: lines[1].quantity, price: lines[1].price}]
    }], [])} as "packageAttachment",
    list_transform(lines, lambda l: {
        uniqueId: number || '-' || l.line_no,
        id: l.product::varchar,
        productId: l.product::varchar,
        quantity: l.quantity,
        name: name_of(l.product),
        price: l.price,
        sellingPrice: l.price,
        costPrice: l.cost,
        priceDefinition: {total: l.price * l.quantity}
    }) as items
from shop_orders
where store = 'a'
    and ordered_at >= getvariable('from_at')::timestamptz
    and ordered_at < getvariable('to_at')::timestamptz
order by number
