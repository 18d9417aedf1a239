-- How many products the request selects, and in how many pages.
-- Grain: one row.
-- Parameters: as for products/listing; page, page_size.

select
    getvariable('p').page as page,
    getvariable('p').page_size as "pageSize",
    count(*) as total,
    ((count(*) + getvariable('p').page_size - 1) // getvariable('p').page_size)::bigint as "totalPages"
from selected_products()
