-- Store A orders -> one row per order, its lines in lists.
-- Grain: order as exported; amounts in cents become units of the order's currency.
-- Follows [D17] (no cost stays null), [D22] (the minus of total_discounts stays), [D33] (a return's units are its
-- package's items, otherwise those of its refund), [D73] (a return's money), [V5.1] (an order summary is rejected: it has
-- no items), [V5.2], [V5.3], [V5.4], [V5.5].

with

orders as (

    select
        file_no,
        position,
        "row",
        from_json("row", '{
            "orderId": "VARCHAR", "sequence": "VARCHAR", "sellerOrderId": "VARCHAR", "origin": "VARCHAR",
            "affiliateId": "VARCHAR", "salesChannel": "VARCHAR", "merchantName": "VARCHAR", "status": "VARCHAR",
            "statusDescription": "VARCHAR", "value": "VARCHAR", "totalValue": "VARCHAR", "creationDate": "VARCHAR",
            "lastChange": "VARCHAR", "authorizedDate": "VARCHAR", "invoicedDate": "VARCHAR", "orderGroup": "VARCHAR",
            "followUpEmail": "VARCHAR", "lastMessage": "VARCHAR", "orderFormId": "VARCHAR", "isCompleted": "VARCHAR",
            "cancelReason": "VARCHAR", "cancellationData": {"Reason": "VARCHAR"},
            "totals": [{"id": "VARCHAR", "value": "VARCHAR"}],
            "storePreferencesData": {"currencyCode": "VARCHAR"},
            "clientProfileData": {"email": "VARCHAR", "userProfileId": "VARCHAR"},
            "marketingData": {
                "utmSource": "VARCHAR", "utmMedium": "VARCHAR", "utmCampaign": "VARCHAR", "utmiCampaign": "VARCHAR",
                "coupon": "VARCHAR", "marketingTags": "VARCHAR"
            },
            "shippingData": {
                "address": {"city": "VARCHAR", "state": "VARCHAR", "country": "VARCHAR", "postalCode": "VARCHAR"},
                "trackingHints": [{
                    "trackingId": "VARCHAR", "courierName": "VARCHAR", "trackingUrl": "VARCHAR",
                    "trackingLabel": "VARCHAR"
                }]
            },
            "paymentData": {"transactions": [{
                "isActive": "VARCHAR",
                "payments": [{
                    "paymentSystemName": "VARCHAR", "group": "VARCHAR", "installments": "VARCHAR", "value": "VARCHAR"
                }]
            }]},
            "packageAttachment": {"packages": [{
                "type": "VARCHAR", "issuanceDate": "VARCHAR", "trackingNumber": "VARCHAR", "courier": "VARCHAR",
                "trackingUrl": "VARCHAR", "invoiceValue": "VARCHAR",
                "items": [{"itemIndex": "VARCHAR", "id": "VARCHAR", "quantity": "VARCHAR", "price": "VARCHAR"}],
                "restitutions": {"Refund": {
                    "value": "VARCHAR", "items": [{"id": "VARCHAR", "quantity": "VARCHAR", "price": "VARCHAR"}]
                }}
            }]},
            "changesAttachment": {"changesData": [{
                "itemsRemoved": [{"id": "VARCHAR", "name": "VARCHAR", "quantity": "VARCHAR", "price": "VARCHAR"}]
            }]},
            "items": [{
                "uniqueId": "VARCHAR", "id": "VARCHAR", "productId": "VARCHAR", "refId": "VARCHAR", "ean": "VARCHAR", "seller": "VARCHAR",
                "name": "VARCHAR", "measurementUnit": "VARCHAR", "imageUrl": "VARCHAR", "detailUrl": "VARCHAR",
                "quantity": "VARCHAR", "price": "VARCHAR", "sellingPrice": "VARCHAR", "unitMultiplier": "VARCHAR",
                "commission": "VARCHAR", "tax": "VARCHAR", "costPrice": "VARCHAR", "isGift": "VARCHAR",
                "priceDefinition": {"total": "VARCHAR"}, "priceDefinitions": {"total": "VARCHAR"},
                "additionalInfo": {"brandName": "VARCHAR", "brandId": "VARCHAR", "categoriesIds": "VARCHAR"}
            }]
        }') as order_json
    from vendor_rows

),

orders_with_parts as (

    select
        file_no,
        position,
        "row",
        order_json,
        happened(order_json.authorizedDate) as authorized_date,
        happened(order_json.invoicedDate) as invoiced_date,
        order_json.shippingData.trackingHints[1] as hint,
        list_filter(order_json.packageAttachment.packages, lambda p: lower(p.type) = 'output') as sales,
        list_filter(order_json.packageAttachment.packages, lambda p: lower(p.type) = 'input') as return_packages,
        flatten(list_transform(
            list_filter(order_json.paymentData.transactions, lambda t: coalesce(lower(t.isActive), 'true') = 'true'),
            lambda t: t.payments
        )) as payments
    from orders

),

orders_with_chosen_parts as (

    select
        *,
        coalesce(hint.trackingId, hint.courierName, hint.trackingUrl, hint.trackingLabel) is not null as hinted,
        coalesce(list_filter(sales, lambda p: filled(p.trackingNumber) is not null)[1], sales[1]) as parcel,
        list_transform(payments, lambda p: try_cast(p.value as decimal(30, 4))) as paid,
        list_transform(order_json.totals, lambda t: t.id) as total_ids
    from orders_with_parts

),

orders_with_payment as (

    -- The largest of several payments; the first of equal ones.
    select
        *,
        payments[coalesce(list_position(paid, list_max(paid)), 1)] as payment
    from orders_with_chosen_parts

)

select
    file_no,
    position,
    order_json.orderId as order_id,
    order_json.sequence,
    order_json.sellerOrderId as seller_order_id,
    order_json.origin,
    order_json.affiliateId as affiliate_id,
    order_json.salesChannel as sales_channel,
    order_json.merchantName as merchant_name,
    order_json.status,
    order_json.statusDescription as status_description,
    order_json.orderGroup as order_group,
    order_json.followUpEmail as follow_up_email,
    order_json.lastMessage as last_message,
    order_json.orderFormId as order_form_id,
    coalesce(filled(order_json.cancelReason), order_json.cancellationData.Reason) as cancel_reason,
    case when hinted then hint.trackingId else parcel.trackingNumber end as tracking_id,
    case when hinted then hint.courierName else parcel.courier end as courier_name,
    case when hinted then hint.trackingUrl else parcel.trackingUrl end as tracking_url,
    hint.trackingLabel as tracking_labels,
    order_json.marketingData.utmSource as utm_source,
    order_json.marketingData.utmMedium as utm_medium,
    order_json.marketingData.utmCampaign as utm_campaign,
    order_json.marketingData.utmiCampaign as utmi_campaign,
    order_json.marketingData.coupon as coupon_code,
    nullif(order_json.marketingData.marketingTags, '[]') as marketing_tags,
    payment.paymentSystemName as payment_method,
    payment.group as payment_method_group,
    order_json.shippingData.address.city as shipping_city,
    order_json.shippingData.address.state as shipping_state,
    order_json.shippingData.address.country as shipping_country,
    order_json.shippingData.address.postalCode as shipping_postal_code,
    cents(order_json.value) as value,
    cents(order_json.totals[list_position(total_ids, 'Items')].value) as total_items_value,
    cents(order_json.totals[list_position(total_ids, 'Discounts')].value) as total_discounts,
    cents(order_json.totals[list_position(total_ids, 'Shipping')].value) as total_shipping,
    cents(order_json.totals[list_position(total_ids, 'Tax')].value) as total_tax,
    payment.installments,
    order_json.creationDate as creation_date,
    order_json.lastChange as last_change,
    authorized_date,
    invoiced_date,
    order_json.isCompleted as is_completed,
    order_json.clientProfileData.userProfileId as customer_id,
    order_json.clientProfileData.email,
    true as _carries_source,
    order_json.storePreferencesData.currencyCode as currency,
    list_transform(order_json.items, lambda i, n: {
        item_no: (n - 1)::varchar,
        unique_id: i.uniqueId,
        id: i.id,
        product_id: i.productId,
        ean: i.ean,
        seller: i.seller,
        name: i.name,
        brand_name: i.additionalInfo.brandName,
        brand_id: i.additionalInfo.brandId,
        measurement_unit: i.measurementUnit,
        image_url: i.imageUrl,
        detail_url: i.detailUrl,
        quantity: i.quantity,
        price: cents(i.price),
        selling_price: cents(i.sellingPrice),
        unit_multiplier: i.unitMultiplier,
        commission: i.commission,
        tax: cents(i.tax),
        cost_price: cents(i.costPrice),
        line_total: cents(coalesce(i.priceDefinition.total, i.priceDefinitions.total)),
        is_gift: i.isGift,
        store_code: i.refId,
        category_id: split_part(rtrim(i.additionalInfo.categoriesIds, '/ '), '/', -1)
    }) as items,
    flatten(list_transform(return_packages, lambda p, n: case
        when len(p.items) > 0 then list_transform(p.items, lambda i: {
            package_no: (n - 1)::varchar,
            item_no: i.itemIndex,
            sku_id: case when i.itemIndex is null then i.id end,
            quantity: i.quantity,
            price: cents(i.price),
            returned_at: happened(p.issuanceDate)
        })
        else list_transform(p.restitutions.Refund.items, lambda i: {
            package_no: (n - 1)::varchar,
            item_no: null::varchar,
            sku_id: i.id,
            quantity: i.quantity,
            price: cents(i.price),
            returned_at: happened(p.issuanceDate)
        })
    end)) as returns,
    list_transform(return_packages, lambda p, n: {
        package_no: (n - 1)::varchar,
        invoice_value: cents(p.invoiceValue),
        refund_value: cents(p.restitutions.Refund.value),
        returned_at: happened(p.issuanceDate)
    }) as return_packages,
    list_transform(
        flatten(list_transform(order_json.changesAttachment.changesData, lambda c: c.itemsRemoved)),
        lambda i: {sku_id: i.id, name: i.name, quantity: i.quantity, price: cents(i.price)}
    ) as removals,
    case
        when order_json.value is null and order_json.totalValue is not null
            then 'an order summary, without items and customer: the order itself is needed'
        -- A value that is not a list would be read as an empty list.
        when order_json.items is null and json_type("row", '$.items') not in ('NULL', 'ARRAY')
            then 'items: not a list'
        when order_json.totals is null and json_type("row", '$.totals') not in ('NULL', 'ARRAY')
            then 'totals: not a list'
        when order_json.packageAttachment.packages is null
            and json_type("row", '$.packageAttachment.packages') not in ('NULL', 'ARRAY')
            then 'packageAttachment.packages: not a list'
        when len(list_filter(order_json.items, lambda i: coalesce(i.uniqueId, i.id, i.productId, i.name, i.quantity) is null)) > 0
            then 'items[]: not an item'
    end as _reject
from orders_with_payment
