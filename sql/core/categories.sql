-- The category tree of each store [D38]. storea: from its category export. storeb: from the taxonomy ids of its
-- products (ancestors are prefixes, their names are parts of the full name), otherwise the product type as a root. A
-- product type with the id of a taxonomy category is that category.
-- Grain: one row per integration and category.
-- Key: integration_id, category_id
-- Kept for: analyses
-- Order: integration_id, category_id

with

taxonomy_paths as (

    select
        integration_id,
        string_split(category_id, '-') as id_parts,
        string_split(coalesce(category_full_name, category_name), ' > ') as names
    from staging.storeb_products
    where category_id is not null

),

taxonomy_levels as (

    select integration_id, id_parts, names, unnest(generate_series(1, len(id_parts))) as level
    from taxonomy_paths

),

taxonomy_nodes as (

    select
        integration_id,
        array_to_string(id_parts[1:level], '-') as category_id,
        nullif(array_to_string(id_parts[1:level - 1], '-'), '') as parent_category_id,
        -- The names of the levels above are known only if the full name was exported.
        case
            when len(names) = len(id_parts) then trim(names[level])
            when level = len(id_parts) then trim(names[-1])
        end as name
    from taxonomy_levels

),

nodes as (

    select integration_id, category_id, name, parent_category_id, false as is_product_type
    from staging.storea_categories

    union all

    select integration_id, category_id, max(name), parent_category_id, false
    from taxonomy_nodes
    group by all

    union all

    select integration_id, type_slug(product_type), min(product_type), null, true
    from staging.storeb_products
    where category_id is null and type_slug(product_type) is not null
    group by all

)

select * exclude (is_product_type)
from nodes
where category_id is not null
qualify row_number() over (partition by integration_id, category_id order by is_product_type) = 1
