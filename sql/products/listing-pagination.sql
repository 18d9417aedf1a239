-- How many products the request selects, and in how many pages; all of them are one page.
-- Grain: one row.
-- Parameters: as for products/listing; page, page_size, all (null or false: the page).

select
    case when wants_all() then 1 else page_number() end as page,
    case when wants_all() then total else page_size() end as "pageSize",
    total,
    case
        when wants_all() then least(total, 1)
        else ((total + page_size() - 1) // page_size())::bigint
    end as "totalPages"
from (select count(*) as total from selected_products())
