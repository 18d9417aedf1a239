-- Grain: one object per department, its categories in a list.
select
    department as id,
    'Departamento ' || department as name,
    true as "hasChildren",
    list_transform(range(0, 10), lambda n: {
        id: 10 + (department - 1) + 5 * n,
        name: 'Categoria ' || (10 + (department - 1) + 5 * n),
        "hasChildren": false,
        children: []::varchar[]
    }) as children
from (select unnest(range(1, 6)) as department)
order by department
