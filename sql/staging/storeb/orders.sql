-- Store B orders -> one row per order, its lines and refund lines in lists.
-- Grain: order as exported, by either API (snake_case and camelCase keys) or by a bulk operation, whose child lines
-- are in `__children`. Every amount is in the shop's currency, never the buyer's.
-- Follows [D4] (total_price is the revenue; refunds do not lower it), [D12] (a UTM value is the parameter's, decoded like
-- the query of any URL, and normalized later), [D18] (the parts of a line's value: unit price, all its discount
-- allocations, its tax), [D22] (gids), [D73] (the parts of a refund's amount), [D88] (the payment) and [V6.2], [V6.3], [V6.4].

with

orders as (

    select
        file_no,
        position,
        from_json("row", '{
            "id": "VARCHAR", "admin_graphql_api_id": "VARCHAR", "legacyResourceId": "VARCHAR", "name": "VARCHAR",
            "created_at": "VARCHAR", "createdAt": "VARCHAR", "processed_at": "VARCHAR", "processedAt": "VARCHAR",
            "updated_at": "VARCHAR", "updatedAt": "VARCHAR", "cancelled_at": "VARCHAR", "cancelledAt": "VARCHAR",
            "cancel_reason": "VARCHAR", "cancelReason": "VARCHAR", "test": "VARCHAR", "financial_status": "VARCHAR",
            "displayFinancialStatus": "VARCHAR", "currency": "VARCHAR", "currencyCode": "VARCHAR",
            "total_price": "VARCHAR", "totalPrice": "VARCHAR",
            "total_price_set": {"shop_money": {"amount": "VARCHAR", "currency_code": "VARCHAR"}},
            "totalPriceSet": {"shopMoney": {"amount": "VARCHAR", "currencyCode": "VARCHAR"}},
            "subtotal_price": "VARCHAR", "subtotalPrice": "VARCHAR",
            "subtotal_price_set": {"shop_money": {"amount": "VARCHAR"}},
            "subtotalPriceSet": {"shopMoney": {"amount": "VARCHAR"}},
            "total_discounts": "VARCHAR", "totalDiscounts": "VARCHAR",
            "total_discounts_set": {"shop_money": {"amount": "VARCHAR"}},
            "totalDiscountsSet": {"shopMoney": {"amount": "VARCHAR"}},
            "totalShippingPrice": "VARCHAR", "total_shipping_price_set": {"shop_money": {"amount": "VARCHAR"}},
            "totalShippingPriceSet": {"shopMoney": {"amount": "VARCHAR"}},
            "shipping_lines": [{
                "price": "VARCHAR", "price_set": {"shop_money": {"amount": "VARCHAR"}}, "discounted_price": "VARCHAR",
                "discounted_price_set": {"shop_money": {"amount": "VARCHAR"}}
            }],
            "total_tax": "VARCHAR", "totalTax": "VARCHAR", "total_tax_set": {"shop_money": {"amount": "VARCHAR"}},
            "totalTaxSet": {"shopMoney": {"amount": "VARCHAR"}},
            "taxes_included": "VARCHAR", "taxesIncluded": "VARCHAR", "email": "VARCHAR", "contact_email": "VARCHAR",
            "customer": {
                "id": "VARCHAR", "legacyResourceId": "VARCHAR", "email": "VARCHAR",
                "defaultEmailAddress": {"emailAddress": "VARCHAR"}
            },
            "landing_site": "VARCHAR", "landingPageUrl": "VARCHAR",
            "customerJourneySummary": {
                "firstVisit": {
                    "landingPage": "VARCHAR",
                    "utmParameters": {"source": "VARCHAR", "medium": "VARCHAR", "campaign": "VARCHAR"}
                },
                "lastVisit": {
                    "landingPage": "VARCHAR",
                    "utmParameters": {"source": "VARCHAR", "medium": "VARCHAR", "campaign": "VARCHAR"}
                }
            },
            "discount_codes": [{"code": "VARCHAR"}], "discountCode": "VARCHAR", "discountCodes": ["VARCHAR"],
            "payment_gateway_names": ["VARCHAR"], "paymentGatewayNames": ["VARCHAR"],
            "payment_details": {"credit_card_company": "VARCHAR"}, "transactions": "JSON",
            "source_name": "VARCHAR", "sourceName": "VARCHAR", "fulfillment_status": "VARCHAR",
            "displayFulfillmentStatus": "VARCHAR",
            "shipping_address": {
                "city": "VARCHAR", "province_code": "VARCHAR", "province": "VARCHAR", "country_code": "VARCHAR",
                "country": "VARCHAR", "zip": "VARCHAR"
            },
            "shippingAddress": {
                "city": "VARCHAR", "provinceCode": "VARCHAR", "province": "VARCHAR", "countryCodeV2": "VARCHAR",
                "countryCode": "VARCHAR", "country": "VARCHAR", "zip": "VARCHAR"
            },
            "line_items": "JSON", "lineItems": "JSON", "refunds": "JSON", "__children": ["JSON"],
            "_unknown": ["VARCHAR"]
        }') as order_json
    from vendor_rows

),

-- The source of an order is the visit that ended in it: the last one, as in the REST API's landing_site.
orders_with_visit as (

    select
        *,
        gid('Order', coalesce(order_json.id, order_json.admin_graphql_api_id, order_json.legacyResourceId)) as order_id,
        coalesce(
            order_json.total_price_set.shop_money.currency_code,
            order_json.totalPriceSet.shopMoney.currencyCode,
            order_json.currency,
            order_json.currencyCode
        ) as currency,
        coalesce(order_json.line_items, order_json.lineItems) as line_list,
        coalesce(order_json.customerJourneySummary.lastVisit, order_json.customerJourneySummary.firstVisit) as visit
    from orders

),

-- A list is an array, a connection of `nodes` or of `edges`, or child lines of its type [V6.6].
orders_with_lists as (

    select
        *,
        coalesce(filled(order_json.landing_site), filled(visit.landingPage), filled(order_json.landingPageUrl)) as landing_site,
        list_transform(
            list_concat(
                elements_of(line_list),
                list_filter(
                    order_json.__children,
                    lambda c: starts_with(c ->> '$.id', 'gid://shopify/LineItem/')
                        or (not json_exists(c, '$.id') and json_exists(c, '$.originalUnitPriceSet'))
                )
            ),
            lambda l: from_json(l, '{
                "id": "VARCHAR", "product_id": "VARCHAR", "product": {"id": "VARCHAR", "legacyResourceId": "VARCHAR"},
                "variant_id": "VARCHAR",
                "variant": {"id": "VARCHAR", "legacyResourceId": "VARCHAR", "sku": "VARCHAR"},
                "sku": "VARCHAR", "title": "VARCHAR", "name": "VARCHAR", "vendor": "VARCHAR", "quantity": "VARCHAR",
                "current_quantity": "VARCHAR", "currentQuantity": "VARCHAR", "price": "VARCHAR",
                "price_set": {"shop_money": {"amount": "VARCHAR"}},
                "originalUnitPriceSet": {"shopMoney": {"amount": "VARCHAR"}},
                "original_total_set": {"shop_money": {"amount": "VARCHAR"}},
                "discount_allocations": [{"amount": "VARCHAR", "amount_set": {"shop_money": {"amount": "VARCHAR"}}}],
                "discountAllocations": [{"allocatedAmountSet": {"shopMoney": {"amount": "VARCHAR"}}}],
                "discountedUnitPriceAfterAllDiscountsSet": {"shopMoney": {"amount": "VARCHAR"}},
                "total_discount": "VARCHAR", "total_discount_set": {"shop_money": {"amount": "VARCHAR"}},
                "totalDiscountSet": {"shopMoney": {"amount": "VARCHAR"}},
                "tax_lines": [{"price": "VARCHAR", "price_set": {"shop_money": {"amount": "VARCHAR"}}}],
                "taxLines": [{"price": "VARCHAR", "priceSet": {"shopMoney": {"amount": "VARCHAR"}}}],
                "gift_card": "VARCHAR", "isGiftCard": "VARCHAR"
            }')
        ) as vendor_lines,
        list_transform(
            list_concat(
                elements_of(order_json.refunds),
                list_filter(order_json.__children, lambda c: starts_with(c ->> '$.id', 'gid://shopify/Refund/'))
            ),
            -- `refund_shipping_lines` of the REST API is not read: its adjustments have the same amounts.
            lambda r: from_json(r, '{
                "id": "VARCHAR", "created_at": "VARCHAR", "createdAt": "VARCHAR", "processed_at": "VARCHAR",
                "processedAt": "VARCHAR", "totalRefundedSet": {"shopMoney": {"amount": "VARCHAR"}},
                "refund_line_items": "JSON", "refundLineItems": "JSON", "transactions": "JSON",
                "order_adjustments": "JSON", "orderAdjustments": "JSON",
                "refundShippingLines": "JSON", "refund_shipping_lines": "JSON", "__children": ["JSON"]
            }')
        ) as vendor_refunds,
        list_filter(
            list_transform(
                list_concat(
                    elements_of(order_json.transactions),
                    list_filter(
                        order_json.__children, lambda c: starts_with(c ->> '$.id', 'gid://shopify/OrderTransaction/')
                    )
                ),
                lambda t: from_json(t, '{
                    "kind": "VARCHAR", "status": "VARCHAR", "gateway": "VARCHAR", "amount": "VARCHAR", "currency": "VARCHAR",
                    "amount_set": {"shop_money": {"amount": "VARCHAR"}}, "amountSet": {"shopMoney": {"amount": "VARCHAR"}},
                    "payment_details": {"payment_method_name": "VARCHAR", "credit_card_company": "VARCHAR"},
                    "paymentDetails": {"paymentMethodName": "VARCHAR", "company": "VARCHAR"}
                }')
            ),
            lambda t: lower(t.kind) in ('sale', 'capture') and lower(t.status) = 'success'
        ) as vendor_payments
    from orders_with_visit

),

orders_with_parts as (

    select
        *,
        '&' || regexp_extract(landing_site, '^[^?#]*\?([^#]*)', 1) as query,
        list_transform(vendor_lines, lambda l: {
            line: l,
            unit_price: coalesce(
                l.price_set.shop_money.amount,
                l.originalUnitPriceSet.shopMoney.amount,
                l.price,
                -- Tables may have the price of all units only.
                (
                    try_cast(filled(l.original_total_set.shop_money.amount) as decimal(18, 6))
                    / nullif(try_cast(filled(l.quantity) as decimal(9, 0)), 0)
                )::decimal(18, 6)::varchar,
                l.original_total_set.shop_money.amount
            ),
            unit_price_after_all: l.discountedUnitPriceAfterAllDiscountsSet.shopMoney.amount,
            total_discount: coalesce(
                l.total_discount_set.shop_money.amount, l.totalDiscountSet.shopMoney.amount, l.total_discount
            ),
            -- An amount only in the buyer's currency cannot be used: a message in its place makes the row rejected.
            discounts: coalesce(
                list_transform(
                    l.discount_allocations,
                    lambda d: coalesce(d.amount_set.shop_money.amount, d.amount, 'nothing in the shop''s currency')
                ),
                list_transform(
                    l.discountAllocations,
                    lambda d: coalesce(d.allocatedAmountSet.shopMoney.amount, 'nothing in the shop''s currency')
                )
            ),
            taxes: coalesce(
                list_transform(
                    l.tax_lines,
                    lambda t: coalesce(t.price_set.shop_money.amount, t.price, 'nothing in the shop''s currency')
                ),
                list_transform(
                    l.taxLines,
                    lambda t: coalesce(t.priceSet.shopMoney.amount, t.price, 'nothing in the shop''s currency')
                )
            )
        }) as lines,
        list_transform(vendor_refunds, lambda r: {
            refund: r,
            line_list: coalesce(r.refund_line_items, r.refundLineItems),
            adjustment_list: coalesce(r.order_adjustments, r.orderAdjustments)
        }) as refunds,
        -- An amount only in the buyer's currency is none.
        list_filter(
            list_transform(vendor_payments, lambda t: {
                name: coalesce(first_filled([
                    t.payment_details.payment_method_name, t.paymentDetails.paymentMethodName, t.gateway
                ]), ''),
                company: first_filled([t.payment_details.credit_card_company, t.paymentDetails.company]),
                amount: try_cast(filled(coalesce(
                    t.amount_set.shop_money.amount,
                    t.amountSet.shopMoney.amount,
                    case when upper(trim(coalesce(t.currency, currency, ''))) = upper(trim(coalesce(currency, t.currency, '')))
                        then t.amount end
                )) as decimal(30, 6))
            }),
            lambda p: p.amount is not null
        ) as payments,
        list_transform(
            order_json.shipping_lines,
            lambda s: coalesce(
                s.discounted_price_set.shop_money.amount, s.discounted_price, s.price_set.shop_money.amount, s.price
            )
        ) as shipping_prices
    from orders_with_lists

),

-- Sums of texts: a text that is not an amount replaces the sum, so that the row is rejected.
orders_with_sums as (

    select
        *,
        list_transform(lines, lambda l: {
            line: l.line,
            unit_price: l.unit_price,
            discount: case
                when len(l.discounts) = 0 then '0'
                when l.discounts is not null then coalesce(
                    list_filter(l.discounts, lambda d: try_cast(filled(d) as decimal(30, 6)) is null)[1],
                    list_sum(list_transform(l.discounts, lambda d: try_cast(filled(d) as decimal(30, 6))))::varchar
                )
            end,
            total_discount: l.total_discount,
            -- The discount of the line according to its unit prices: the one after discounts is rounded. (A difference
            -- of 18 digits would be limited to 18 digits, and fail with more.)
            discount_by_unit: (
                try_cast(filled(l.line.quantity) as decimal(9, 0)) * (
                    try_cast(filled(l.unit_price) as decimal(19, 6))
                    - try_cast(filled(l.unit_price_after_all) as decimal(19, 6))
                )
            )::decimal(30, 6),
            rounding: try_cast(filled(l.line.quantity) as decimal(9, 0)) * 0.005,
            tax: case
                when len(l.taxes) = 0 then '0'
                when l.taxes is not null then coalesce(
                    list_filter(l.taxes, lambda t: try_cast(filled(t) as decimal(30, 6)) is null)[1],
                    list_sum(list_transform(l.taxes, lambda t: try_cast(filled(t) as decimal(30, 6))))::varchar
                )
            end
        }) as summed_lines,
        list_transform(refunds, lambda r: {
            refund: r.refund,
            lines: list_transform(
                list_concat(
                    elements_of(r.line_list),
                    list_filter(
                        r.refund.__children,
                        lambda c: starts_with(c ->> '$.id', 'gid://shopify/RefundLineItem/')
                            or (not json_exists(c, '$.id') and json_exists(c, '$.lineItem'))
                    )
                ),
                lambda l: from_json(l, '{
                    "line_item_id": "VARCHAR", "line_item": {"id": "VARCHAR"}, "lineItem": {"id": "VARCHAR"},
                    "quantity": "VARCHAR", "restock_type": "VARCHAR", "restockType": "VARCHAR",
                    "subtotal": "VARCHAR", "subtotal_set": {"shop_money": {"amount": "VARCHAR"}},
                    "subtotalSet": {"shopMoney": {"amount": "VARCHAR"}}, "total_tax": "VARCHAR",
                    "total_tax_set": {"shop_money": {"amount": "VARCHAR"}},
                    "totalTaxSet": {"shopMoney": {"amount": "VARCHAR"}}
                }')
            ),
            transactions: list_transform(
                list_concat(
                    elements_of(r.refund.transactions),
                    list_filter(
                        r.refund.__children, lambda c: starts_with(c ->> '$.id', 'gid://shopify/OrderTransaction/')
                    )
                ),
                lambda t: from_json(t, '{
                    "kind": "VARCHAR", "status": "VARCHAR", "amount": "VARCHAR", "currency": "VARCHAR",
                    "amount_set": {"shop_money": {"amount": "VARCHAR"}}, "amountSet": {"shopMoney": {"amount": "VARCHAR"}}
                }')
            ),
            adjustments: list_transform(
                list_concat(
                    elements_of(r.adjustment_list),
                    list_filter(
                        r.refund.__children, lambda c: starts_with(c ->> '$.id', 'gid://shopify/OrderAdjustment/')
                    )
                ),
                lambda a: from_json(a, '{
                    "amount": "VARCHAR", "amount_set": {"shop_money": {"amount": "VARCHAR"}},
                    "amountSet": {"shopMoney": {"amount": "VARCHAR"}}, "tax_amount": "VARCHAR",
                    "tax_amount_set": {"shop_money": {"amount": "VARCHAR"}},
                    "taxAmountSet": {"shopMoney": {"amount": "VARCHAR"}}
                }')
            ),
            shipping_lines: list_transform(
                list_concat(
                    elements_of(r.refund.refundShippingLines),
                    list_filter(
                        r.refund.__children,
                        lambda c: starts_with(c ->> '$.id', 'gid://shopify/RefundShippingLine/')
                            or (not json_exists(c, '$.id') and json_exists(c, '$.subtotalAmountSet'))
                    )
                ),
                lambda l: from_json(l, '{
                    "subtotalAmountSet": {"shopMoney": {"amount": "VARCHAR"}},
                    "taxAmountSet": {"shopMoney": {"amount": "VARCHAR"}}
                }')
            )
        }) as refunds_with_lines,
        list_transform(
            [
                regexp_extract(query, '&utm_source=([^&]*)', 1),
                regexp_extract(query, '&utm_medium=([^&]*)', 1),
                regexp_extract(query, '&utm_campaign=([^&]*)', 1)
            ],
            lambda v: url_decoded(replace(v, '+', ' '))
        ) as landing_utm,
        list_transform(
            payments,
            lambda p: list_sum(list_transform(list_filter(payments, lambda q: q.name = p.name), lambda q: q.amount))
        ) as paid
    from orders_with_parts

),

-- The payment that an order goes by [D88]: added up by name the largest, the first of equal ones.
orders_with_payment as (

    select *, payments[list_position(paid, list_max(paid))].name as paid_by
    from orders_with_sums

)

select
    file_no,
    position,
    -- The number: it decides, as text, between orders of two stores at the same instant [D6].
    replace(order_id, 'gid://shopify/Order/', '') as order_id,
    order_json.name,
    coalesce(order_json.created_at, order_json.createdAt) as created_at,
    coalesce(order_json.processed_at, order_json.processedAt) as processed_at,
    coalesce(order_json.updated_at, order_json.updatedAt) as updated_at,
    coalesce(order_json.cancelled_at, order_json.cancelledAt) as cancelled_at,
    lower(coalesce(order_json.cancel_reason, order_json.cancelReason)) as cancel_reason,
    order_json.test as is_test,
    coalesce(order_json.source_name, order_json.sourceName) as source_name,
    case lower(coalesce(order_json.fulfillment_status, order_json.displayFulfillmentStatus))
        when 'unfulfilled' then null
        when 'partially_fulfilled' then 'partial'
        else lower(coalesce(order_json.fulfillment_status, order_json.displayFulfillmentStatus))
    end as fulfillment_status,
    filled(paid_by) as payment_method,
    case
        when paid_by is null then order_json.payment_details.credit_card_company
        else list_filter(payments, lambda p: p.name = paid_by and p.company is not null)[1].company
    end as payment_company,
    coalesce(order_json.shipping_address.city, order_json.shippingAddress.city) as shipping_city,
    first_filled([
        order_json.shipping_address.province_code,
        order_json.shippingAddress.provinceCode,
        order_json.shipping_address.province,
        order_json.shippingAddress.province
    ]) as shipping_state,
    first_filled([
        order_json.shipping_address.country_code,
        order_json.shippingAddress.countryCodeV2,
        order_json.shippingAddress.countryCode,
        order_json.shipping_address.country,
        order_json.shippingAddress.country
    ]) as shipping_country,
    ltrim(coalesce(order_json.shipping_address.zip, order_json.shippingAddress.zip), '''') as shipping_postal_code,
    lower(coalesce(order_json.financial_status, order_json.displayFinancialStatus)) as financial_status,
    currency,
    coalesce(
        order_json.total_price_set.shop_money.amount,
        order_json.totalPriceSet.shopMoney.amount,
        order_json.total_price,
        order_json.totalPrice
    ) as total_price,
    coalesce(
        order_json.subtotal_price_set.shop_money.amount,
        order_json.subtotalPriceSet.shopMoney.amount,
        order_json.subtotal_price,
        order_json.subtotalPrice
    ) as subtotal_price,
    coalesce(
        order_json.total_discounts_set.shop_money.amount,
        order_json.totalDiscountsSet.shopMoney.amount,
        order_json.total_discounts,
        order_json.totalDiscounts
    ) as total_discounts,
    coalesce(
        order_json.total_shipping_price_set.shop_money.amount,
        order_json.totalShippingPriceSet.shopMoney.amount,
        order_json.totalShippingPrice,
        sum_of(shipping_prices),
        case when len(shipping_prices) = 0 then '0' end
    ) as total_shipping,
    coalesce(
        order_json.total_tax_set.shop_money.amount, order_json.totalTaxSet.shopMoney.amount, order_json.total_tax, order_json.totalTax
    ) as total_tax,
    coalesce(order_json.taxes_included, order_json.taxesIncluded) as taxes_included,
    gid('Customer', coalesce(order_json.customer.id, order_json.customer.legacyResourceId)) as customer_id,
    first_filled([
        order_json.email,
        order_json.contact_email,
        order_json.customer.email,
        order_json.customer.defaultEmailAddress.emailAddress
    ]) as email,
    -- All three come from the same place.
    not coalesce('source' in order_json._unknown, false) as _carries_source,
    case when visit.utmParameters is null then landing_utm[1] else visit.utmParameters.source end as utm_source,
    case when visit.utmParameters is null then landing_utm[2] else visit.utmParameters.medium end as utm_medium,
    case when visit.utmParameters is null then landing_utm[3] else visit.utmParameters.campaign end as utm_campaign,
    landing_site,
    nullif(
        to_json(list_filter(
            coalesce(order_json.payment_gateway_names, order_json.paymentGatewayNames), lambda name: filled(name) is not null
        ))::varchar,
        '[]'
    ) as payment_gateway_names,
    coalesce(
        filled(order_json.discountCode),
        list_filter(order_json.discountCodes, lambda c: filled(c) is not null)[1],
        list_filter(order_json.discount_codes, lambda c: filled(c.code) is not null)[1].code
    ) as coupon_code,
    list_transform(summed_lines, lambda l: {
        line_id: gid('LineItem', l.line.id),
        product_id: gid('Product', coalesce(l.line.product_id, l.line.product.id, l.line.product.legacyResourceId)),
        variant_id: gid(
            'ProductVariant', coalesce(l.line.variant_id, l.line.variant.id, l.line.variant.legacyResourceId)
        ),
        sku: coalesce(filled(l.line.sku), l.line.variant.sku),
        name: coalesce(filled(l.line.title), l.line.name),
        vendor: l.line.vendor,
        quantity: l.line.quantity,
        current_quantity: coalesce(l.line.current_quantity, l.line.currentQuantity),
        price: l.unit_price,
        -- Without allocations: the line's own discounts, exact to the cent, unless those of the order are larger.
        discount: case
            when l.discount is not null then l.discount
            when abs(l.discount_by_unit - try_cast(filled(l.total_discount) as decimal(18, 6))) <= l.rounding
                then l.total_discount
            else coalesce(l.discount_by_unit::varchar, l.total_discount)
        end,
        tax: l.tax,
        is_gift_card: coalesce(l.line.gift_card, l.line.isGiftCard)
    }) as items,
    -- A download that cannot have them names them.
    case
        when not coalesce('refunds' in order_json._unknown, false)
            then flatten(list_transform(refunds_with_lines, lambda r, n: list_transform(r.lines, lambda l: {
                refund_no: (n - 1)::varchar,
                refund_id: gid('Refund', r.refund.id),
                line_id: gid('LineItem', coalesce(l.line_item_id, l.line_item.id, l.lineItem.id)),
                quantity: l.quantity,
                restock_type: lower(coalesce(l.restock_type, l.restockType)),
                subtotal: coalesce(l.subtotal_set.shop_money.amount, l.subtotalSet.shopMoney.amount, l.subtotal),
                tax: coalesce(l.total_tax_set.shop_money.amount, l.totalTaxSet.shopMoney.amount, l.total_tax),
                created_at: coalesce(r.refund.created_at, r.refund.createdAt),
                processed_at: coalesce(r.refund.processed_at, r.refund.processedAt)
            })))
    end as refunds,
    -- Such a download may all the same have the sum that was refunded.
    case
        when order_json.refunds is not null or not coalesce('refunds' in order_json._unknown, false)
            then list_transform(refunds_with_lines, lambda r, n: {
                refund_no: (n - 1)::varchar,
                refund_id: gid('Refund', r.refund.id),
                created_at: coalesce(r.refund.created_at, r.refund.createdAt),
                processed_at: coalesce(r.refund.processed_at, r.refund.processedAt),
                -- A transaction of the REST API may be in the buyer's currency, which is not the order's.
                repaid: sum_of(list_transform(
                    list_filter(r.transactions, lambda t: lower(t.kind) = 'refund' and lower(t.status) = 'success'),
                    lambda t: coalesce(
                        t.amount_set.shop_money.amount,
                        t.amountSet.shopMoney.amount,
                        case when upper(trim(coalesce(t.currency, currency, ''))) = upper(trim(coalesce(currency, t.currency, '')))
                            then t.amount end
                    )
                )),
                total_refunded: r.refund.totalRefundedSet.shopMoney.amount,
                shipping: sum_of(flatten(list_transform(
                    r.shipping_lines, lambda l: [l.subtotalAmountSet.shopMoney.amount, l.taxAmountSet.shopMoney.amount]
                ))),
                adjustments: sum_of(flatten(list_transform(r.adjustments, lambda a: [
                    coalesce(a.amount_set.shop_money.amount, a.amountSet.shopMoney.amount, a.amount),
                    coalesce(a.tax_amount_set.shop_money.amount, a.taxAmountSet.shopMoney.amount, a.tax_amount)
                ])))
            })
    end as refund_totals,
    case
        when starts_with(order_id, 'gid://') and not starts_with(order_id, 'gid://shopify/Order/')
            then 'not an order: ' || order_id
        -- A value that is not a list would be read as an empty list, and one page of a list as the whole list.
        when not is_list(line_list) then 'line items: not a list'
        when not is_list(order_json.refunds) then 'refunds: not a list'
        when not is_list(order_json.transactions) then 'transactions: not a list'
        when is_cut_off(line_list) then 'line items: cut off after their first page'
        when is_cut_off(order_json.transactions) then 'transactions: cut off after their first page'
        when len(list_filter(refunds, lambda r: not is_list(r.line_list))) > 0
            then 'refunds[]: lines are not a list'
        when len(list_filter(refunds, lambda r: is_cut_off(r.line_list))) > 0
            then 'refunds[]: lines cut off after their first page'
        when len(list_filter(
            refunds,
            lambda r: not is_list(r.refund.transactions) or not is_list(r.adjustment_list) or not is_list(r.refund.refundShippingLines)
        )) > 0
            then 'refunds[]: transactions, adjustments or shipping are not a list'
        when len(list_filter(
            refunds,
            lambda r: is_cut_off(r.refund.transactions) or is_cut_off(r.adjustment_list)
                or is_cut_off(r.refund.refundShippingLines)
        )) > 0
            then 'refunds[]: transactions, adjustments or shipping cut off after their first page'
        when len(list_filter(vendor_lines, lambda l: filled(l.quantity) is null)) > 0
            then 'line items: one without a quantity'
        when len(list_filter(
            refunds_with_lines,
            lambda r: len(list_filter(r.lines, lambda l: filled(l.quantity) is null)) > 0
        )) > 0
            then 'refunds[]: a line without a quantity'
    end as _reject
from orders_with_payment
