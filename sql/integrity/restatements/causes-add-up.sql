-- The causes of a restated figure add up to its change, which is the difference of what the two states show [D84]. What is unknown in one
-- of them has neither.

with

numbers as (

    select
        *,
        ("after" ->> '$')::decimal(38, 2) - ("before" ->> '$')::decimal(38, 2) as difference,
        list_sum(list_transform(json_extract(causes, '$.*'), lambda cause: (cause ->> '$')::decimal(38, 2))) as explained
    from restatements_changes

)

select *
from numbers
where (change ->> '$')::decimal(38, 2) is distinct from difference
    or explained <> difference
    or explained is not null and difference is null
