-- Store A categories -> one row per category.
-- Grain: category. A row of a tree is a department with its descendants (`children`), and gives one row for each
-- category in it; a single category (`Id`, `FatherCategoryId`) gives one row. Follows [D38]: departments have depth 0;
-- [V5.6].

with recursive

exported as (

    -- Names that differ only in case are one name within a struct: each layout is read separately.
    select
        file_no,
        position,
        from_json("row", '{"id": "VARCHAR", "name": "VARCHAR", "children": ["JSON"]}') as node,
        from_json("row", '{
            "Id": "VARCHAR", "Name": "VARCHAR", "FatherCategoryId": "VARCHAR", "TreePathIds": ["VARCHAR"]
        }') as single
    from vendor_rows

),

tree_nodes as (

    select file_no, position, node, null::varchar as parent_category_id, 0 as depth, false as is_lost
    from exported
    where filled(single.Id) is null

    union all

    select file_no, position, from_json(child, '{"id": "VARCHAR", "name": "VARCHAR", "children": ["JSON"]}'),
        parent_category_id, depth, is_lost
    from (
        select
            file_no,
            position,
            unnest(node.children) as child,
            node.id as parent_category_id,
            depth + 1 as depth,
            is_lost or filled(node.id) is null as is_lost
        from tree_nodes
    ) as children

)

select
    file_no,
    position,
    node.id as category_id,
    node.name,
    parent_category_id,
    depth::varchar as depth,
    case when is_lost then 'the category above has no id' end as _reject
from tree_nodes

union all

select
    file_no,
    position,
    single.Id as category_id,
    single.Name as name,
    single.FatherCategoryId as parent_category_id,
    case
        when len(single.TreePathIds) > 0 then (len(single.TreePathIds) - 1)::varchar
        when filled(single.FatherCategoryId) is null then '0'
    end as depth,
    null as _reject
from exported
where filled(single.Id) is not null
