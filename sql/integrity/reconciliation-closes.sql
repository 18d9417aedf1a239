-- The stores of /reconciliation add up to /cards, and the way from revenue to the sales of products closes, to the cent [D54].
-- The amounts that lead there are those of the sales themselves.

with

stores as (

    select unnest(stores, max_depth := 2)
    from profitability_reconciliation

),

amounts as (

    select
        "integrationId" as integration_id,
        "landedOrders" - orders - coalesce(list_sum(list_transform(uncounted, lambda one: one.orders)), 0) as orders_left,
        "landedValue"::decimal(18, 2) - revenue::decimal(18, 2)
            - coalesce(list_sum(list_transform(uncounted, lambda one: one."value"::decimal(18, 2))), 0) as value_left,
        len(uncounted) as reasons,
        revenue::decimal(18, 2) - "notInvoiced"::decimal(18, 2) - "invoicedOutside"::decimal(18, 2)
            + "invoicedInside"::decimal(18, 2) as sold,
        shipping::decimal(18, 2) + tax::decimal(18, 2) + "giftCards"::decimal(18, 2) + "withoutProduct"::decimal(18, 2)
            + "withoutSaleValue"::decimal(18, 2) + "otherCharges"::decimal(18, 2) as charges,
        "grossSales"::decimal(18, 2) as gross_sales,
        returns::decimal(18, 2) as returns,
        "netSales"::decimal(18, 2) as net_sales
    from stores

),

-- Counted orders that were invoiced in the period, and the lines of their products.
sales_of_period as (

    select integration_id, sum(revenue) as revenue
    from orders
    where is_in_period(sold_on)
    group by integration_id

),

lines_of_period as (

    select
        sales.integration_id,
        sum(order_lines."value"::double * order_lines.sold_units / order_lines.quantity) as gross_sales,
        sum(order_lines."value"::double * order_lines.kept_units / order_lines.quantity) as net_sales
    from order_lines
    join sales on sales.integration_id = order_lines.integration_id and sales.order_id = order_lines.order_id
    where is_in_period(sales.sold_on) and order_lines.product_id is not null and order_lines.sold_units > 0
    group by sales.integration_id

)

select amounts.integration_id, 'does not close' as problem
from amounts
left join sales_of_period on sales_of_period.integration_id = amounts.integration_id
left join lines_of_period on lines_of_period.integration_id = amounts.integration_id
where orders_left <> 0
    or abs(value_left) > 0.005 * (reasons + 2)
    or sold - charges <> amounts.gross_sales
    or amounts.gross_sales - returns <> amounts.net_sales
    -- Four rounded amounts.
    or abs(sold - coalesce(sales_of_period.revenue, 0)) > 0.02
    or abs(amounts.gross_sales - coalesce(lines_of_period.gross_sales, 0)) > 0.01
    or abs(amounts.net_sales - coalesce(lines_of_period.net_sales, 0)) > 0.01

union all

select null, 'the stores do not add up to the cards'
from (
    select coalesce(sum(orders), 0) as orders, coalesce(sum(revenue::decimal(18, 2)), 0) as revenue, count(*) as stores
    from stores
) as totals
cross join profitability_cards as cards
where totals.orders <> cards.orders
    or abs(totals.revenue - cards.revenue::decimal(18, 2)) > 0.005 * (totals.stores + 1)
