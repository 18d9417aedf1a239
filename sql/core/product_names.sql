-- The names of ordered products that the catalog does not name: from the latest sale [D30], or from the latest order
-- of a product that was never sold.
-- Grain: one row per integration and product. `is_sold`: the name is from a sale.
-- Key: integration_id, product_id
-- Kept for: analyses
-- Order: integration_id, product_id

with

nameless as (

    select distinct integration_id, product_id
    from ordered_skus
    anti join (from products where name is not null) as named using (integration_id, product_id)

),

-- Times are compared before ids, which are text: few sales are as late as the latest.
latest_sales as (

    select integration_id, product_id, max(sold_at) as sold_at
    from product_sales
    semi join nameless using (integration_id, product_id)
    where name is not null
    group by integration_id, product_id

),

sold as (

    select integration_id, product_id, arg_max(name, order_id) as name
    from product_sales
    semi join latest_sales using (integration_id, product_id, sold_at)
    where name is not null
    group by integration_id, product_id

),

ordered as (

    select
        order_lines.integration_id,
        order_lines.product_id,
        arg_max(order_lines.name, {
            named_at: coalesce(orders.sold_at, orders.ordered_at),
            order_id: orders.order_id,
            line_no: order_lines.line_no
        }) as name
    from order_lines
    semi join (from nameless anti join sold using (integration_id, product_id)) as unsold using (integration_id, product_id)
    join orders on orders.integration_id = order_lines.integration_id and orders.order_id = order_lines.order_id
    group by order_lines.integration_id, order_lines.product_id

)

select integration_id, product_id, name, true as is_sold from sold

union all

select integration_id, product_id, name, false from ordered
