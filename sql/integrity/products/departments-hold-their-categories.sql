-- A department is the sum of its own products and its subcategories: units and sales add up. An order may include
-- products of several, so a department has at most as many orders, customers and buyers as they have together. The
-- answer is rounded to the cent: each row may lose half a cent.

with

own_products as (

    select
        "categoryId" as category_id,
        count(*) as rows,
        coalesce(sum("netSales"), 0) as net_sales,
        sum("grossUnits") as units,
        sum("newCustomers") as new_customers
    from products_listing
    group by all

),

subcategories as (

    select
        "parentCategoryId" as category_id,
        count(*) as rows,
        coalesce(sum("netSales"), 0) as net_sales,
        sum("grossUnits") as units,
        sum("newCustomers") as new_customers
    from products_categories
    where "parentCategoryId" is not null
    group by all

),

members as (

    select
        category_id,
        sum(rows) as rows,
        sum(net_sales) as net_sales,
        sum(units) as units,
        sum(new_customers) as new_customers
    from (from own_products union all by name from subcategories)
    group by all

)

select products_categories."categoryId", products_categories."grossUnits", members.units, members.net_sales
from products_categories
left join members on members.category_id = products_categories."categoryId"
where members.category_id is null
    or products_categories."grossUnits" <> members.units
    or abs(coalesce(products_categories."netSales", 0) - members.net_sales) > 0.005 * (members.rows + 1) + 0.000001
    or products_categories."newCustomers" > members.new_customers
