-- The category tree of each store in the form that rollups need: every category with each category that contains it,
-- itself included [D38].
-- Grain: one row per integration, category and category that contains it. `place` is the position of the latter in a
-- depth-first walk of the tree, by name. Products without a category are in `uncategorized`, which comes last.
-- Key: integration_id, category_id, rollup_id
-- Kept for: analyses
-- Order: integration_id, category_id, rollup_id

with recursive

-- The categories that contain each category, directly or not. In a loop every category contains itself.
holders as (

    select integration_id, category_id, parent_category_id as holder_id
    from categories
    where parent_category_id is not null

    union

    select holders.integration_id, holders.category_id, categories.parent_category_id
    from holders
    join categories
        on categories.integration_id = holders.integration_id and categories.category_id = holders.holder_id
    where categories.parent_category_id is not null

),

-- The smallest id of each loop, as text.
loops as (

    select integration_id, category_id
    from holders
    group by integration_id, category_id
    having min(holder_id) = category_id

),

-- A category whose parent was not exported, or that is the first of a loop, is a root.
nodes as (

    select
        categories.integration_id,
        categories.category_id,
        categories.name,
        parents.category_id as parent_category_id
    from categories
    left join loops
        on loops.integration_id = categories.integration_id and loops.category_id = categories.category_id
    left join categories as parents
        on parents.integration_id = categories.integration_id
        and parents.category_id = categories.parent_category_id
        and loops.category_id is null

),

tree as (

    select
        integration_id,
        category_id,
        name,
        parent_category_id,
        0 as depth,
        [category_id] as ids,
        [{name: lower(name), id: category_id}] as path
    from nodes
    where parent_category_id is null

    union all

    select
        nodes.integration_id,
        nodes.category_id,
        nodes.name,
        nodes.parent_category_id,
        tree.depth + 1,
        list_append(tree.ids, nodes.category_id),
        list_append(tree.path, {name: lower(nodes.name), id: nodes.category_id})
    from nodes
    join tree on tree.integration_id = nodes.integration_id and tree.category_id = nodes.parent_category_id

),

placed as (

    select *, row_number() over (partition by integration_id order by path) as place
    from tree

),

containments as (

    select integration_id, category_id, unnest(ids) as rollup_id
    from placed

)

select
    containments.integration_id,
    containments.category_id,
    containments.rollup_id,
    placed.name as rollup_name,
    placed.parent_category_id as rollup_parent_id,
    placed.depth as rollup_depth,
    placed.place
from containments
join placed
    on placed.integration_id = containments.integration_id and placed.category_id = containments.rollup_id

union all

select integration_id, 'uncategorized', 'uncategorized', null, null, 0, 9223372036854775807
from integrations
where kind = 'store'
