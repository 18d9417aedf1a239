-- What landed compared with what is counted, per store, the way from the revenue to the sales of its products, and what
-- the ad platforms claim compared with the orders.
-- Grain: one row.
-- Parameters: start_date, end_date (inclusive; null for the whole history).
-- Follows [D3], [D10], [D18], [D33], [D54]. Amounts are rounded first, so that each way closes to the cent: `otherCharges` is
-- what is left.

with

-- An order is dated by the day on which it was placed, a sale by that on which it became one.
counted as (

    select
        integration_id,
        sum(orders) filter (where is_in_period(ordered_on)) as orders,
        sum(revenue) filter (where is_in_period(ordered_on)) as revenue,
        sum(revenue) filter (where is_in_period(ordered_on) and sold_on is null) as not_invoiced,
        sum(revenue) filter (where is_in_period(ordered_on) and not is_in_period(sold_on)) as invoiced_outside,
        sum(revenue) filter (where not is_in_period(ordered_on) and is_in_period(sold_on)) as invoiced_inside,
        sum(shipping) filter (where is_in_period(sold_on)) as shipping,
        sum(tax) filter (where is_in_period(sold_on)) as tax,
        sum(gift_card_value) filter (where is_in_period(sold_on)) as gift_cards,
        sum(value_without_product) filter (where is_in_period(sold_on)) as without_product
    from daily_store_orders
    where is_in_period(ordered_on) or is_in_period(sold_on)
    group by integration_id

),

uncounted_reasons as (

    select integration_id, reason, count(*) as orders, sum(revenue) as revenue
    from uncounted_orders
    where is_in_period(ordered_on)
    group by integration_id, reason

),

uncounted as (

    select
        integration_id,
        sum(orders)::bigint as orders,
        sum(revenue) as revenue,
        list({reason: reason, orders: orders, value: money(revenue)} order by reason) as reasons
    from uncounted_reasons
    group by integration_id

),

sold as (

    select integration_id, sum(gross_value) as gross_sales, sum(net_value) as net_sales
    from product_sales
    where is_in_period(sold_on)
    group by integration_id

),

store_amounts as (

    select
        integrations.position,
        integrations.integration_id,
        integrations.integration_name,
        integrations.connector,
        or_zero(counted.orders)::bigint as orders,
        or_zero(uncounted.orders)::bigint as uncounted_orders,
        coalesce(uncounted.reasons, []) as reasons,
        rounded_sum(or_zero(counted.revenue) + or_zero(uncounted.revenue)) as landed_value,
        rounded_sum(or_zero(counted.revenue)) as revenue,
        rounded_sum(or_zero(counted.not_invoiced)) as not_invoiced,
        rounded_sum(or_zero(counted.invoiced_outside)) as invoiced_outside,
        rounded_sum(or_zero(counted.invoiced_inside)) as invoiced_inside,
        rounded_sum(or_zero(counted.shipping)) as shipping,
        rounded_sum(or_zero(counted.tax)) as tax,
        rounded_sum(or_zero(counted.gift_cards)) as gift_cards,
        rounded_sum(or_zero(counted.without_product)) as without_product,
        rounded_sum(or_zero(sold.gross_sales)) as gross_sales,
        rounded_sum(or_zero(sold.net_sales)) as net_sales
    from integrations
    left join counted on counted.integration_id = integrations.integration_id
    left join uncounted on uncounted.integration_id = integrations.integration_id
    left join sold on sold.integration_id = integrations.integration_id
    where integrations.kind = 'store'

),

stores as (

    select list({
        integrationId: integration_id,
        integrationName: integration_name,
        connector: connector,
        landedOrders: orders + uncounted_orders,
        landedValue: landed_value::double,
        uncounted: reasons,
        orders: orders,
        revenue: revenue::double,
        notInvoiced: not_invoiced::double,
        invoicedOutside: invoiced_outside::double,
        invoicedInside: invoiced_inside::double,
        shipping: shipping::double,
        tax: tax::double,
        giftCards: gift_cards::double,
        withoutProduct: without_product::double,
        withoutSaleValue: 0::double,
        otherCharges: (
            revenue - not_invoiced - invoiced_outside + invoiced_inside - shipping - tax - gift_cards - without_product
                - gross_sales
        )::double,
        grossSales: gross_sales::double,
        returns: (gross_sales - net_sales)::double,
        netSales: net_sales::double
    } order by position) as stores
    from store_amounts

),

claims as (

    -- What one record does not know, the sum does not know.
    select
        connector,
        sum(spend) as investment,
        case when count(*) = count(conversions) then sum(conversions) end as conversions,
        case when count(*) = count(conversion_value) then sum(conversion_value) end as conversion_value
    from media_spend
    where is_in_period(spent_on)
    group by connector

),

channels as (

    select channel, sum(orders)::bigint as orders, sum(revenue) as revenue
    from daily_orders
    where is_in_period(ordered_on)
    group by channel

),

accounts as (

    select list({
        connector: connectors.connector,
        investment: money(or_zero(claims.investment)),
        -- Social ads report no number of conversions.
        platformConversions: case
            when connectors.connector <> 'socialads' then money(if(claims.connector is null, 0, claims.conversions))
        end,
        platformValue: money(if(claims.connector is null, 0, claims.conversion_value)),
        orders: or_zero(channels.orders),
        revenue: money(or_zero(channels.revenue)),
        claimedToConfirmed: case
            when claims.conversion_value <> 0 then ratio(safe_divide(claims.conversion_value, channels.revenue))
        end
    } order by connectors.connector) as accounts
    from (select distinct connector from integrations where kind = 'ads') as connectors
    left join claims on claims.connector = connectors.connector
    left join channels on channels.channel = connectors.connector

)

select coalesce(stores.stores, []) as stores, coalesce(accounts.accounts, []) as accounts
from stores
cross join accounts
