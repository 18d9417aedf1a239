-- The totals of each category over the products that the request selects. A department includes its subcategories:
-- rows of different depths must not be added up, and neither must the customers of any two rows.
-- Grain: one row per category with a selected product, directly or in a subcategory; depth first by name,
-- `uncategorized` last [D38].
-- Parameters: as for products/listing, without sorting and page.
-- Follows [D33], [D34], [D35], [D38]: orders and customers are counted per category, not summed; rates are those of
-- the totals.

with

members as materialized (

    select product_categories.rollup_id as group_id, selected.product_id
    from selected_products() as selected
    join product_categories
        on product_categories.integration_id = selected.integration_id
        and product_categories.category_id = selected.category_id

),

nodes as (

    select *
    from product_categories
    where integration_id = requested_store_id() and category_id = rollup_id

)

select
    nodes.integration_id as "integrationId",
    nodes.rollup_id as "categoryId",
    nodes.rollup_name as "categoryName",
    nodes.rollup_parent_id as "parentCategoryId",
    nodes.rollup_depth as depth,
    figures.* exclude (group_id, orders, units, returned_units)
from product_figures((select list(members) from members)) as figures
join nodes on nodes.rollup_id = figures.group_id
order by nodes.place, nodes.rollup_id
