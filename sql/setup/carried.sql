-- What an order carries [D88], as the lists of orders select and answer it.
-- Grain: one row per order of the period, counted or not, that passes all filters.
-- Written by `npm run documents` from src/core/endpoints/carried.ts.

create macro selected_orders() as table
    select
        *,
        {
            "paymentGroup": payment_group,
            "installments": installments,
            "state": state,
            "city": city,
            "country": country,
            "discount": money(discount),
            "shippingCharged": money(shipping_charged),
            "taxCharged": money(tax_charged),
            "status": status,
            "salesChannel": sales_channel,
            "items": items,
            "hour": hour,
            "weekday": weekday
        } as carried
    from orders_of_request()
    where passes('payment_group', payment_group)
        and passes('installments', installments::varchar)
        and passes_folded('state', state)
        and passes_folded('city', city_key)
        and passes_folded('country', case when length(country) = 2 then country else upper(folded(country)) end)
        and passes('status', status)
        and passes('sales_channel', sales_channel)
        and passes('hour', hour::varchar)
        and passes('weekday', weekday::varchar);
