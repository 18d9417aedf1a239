-- The products of a store add up to its sales, to the cent and the unit. The listing is rounded to the cent: each
-- product may lose half a cent.

with

listed as (

    select
        count(*) as products,
        coalesce(sum("grossSales"), 0) as gross_sales,
        coalesce(sum("netSales"), 0) as net_sales,
        coalesce(sum("grossUnits"), 0) as gross_units
    from products_listing

),

sold as (

    select
        coalesce(sum(gross_value), 0) as gross_sales,
        coalesce(sum(net_value), 0) as net_sales,
        coalesce(sum(units), 0) as gross_units
    from product_sales
    where integration_id = requested_store_id()
        and sold_on between date_from() and date_to()

)

select listed.*, sold.gross_sales as sold_gross, sold.net_sales as sold_net, sold.gross_units as sold_units
from listed
cross join sold
where abs(listed.gross_sales - sold.gross_sales) > 0.005 * listed.products + 0.000001
    or abs(listed.net_sales - sold.net_sales) > 0.005 * listed.products + 0.000001
    or listed.gross_units <> sold.gross_units
