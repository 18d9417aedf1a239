-- Each product of a store is listed once, in one category, and each category is listed once.

select 'a product listed twice' as problem, "productId" as what, count(*) as times
from products_listing
group by all
having count(*) > 1

union all

select 'a category listed twice', "categoryId", count(*)
from products_categories
group by all
having count(*) > 1

union all

select 'a product of a category that is not listed', products_listing."productId", 1
from products_listing
anti join products_categories on products_categories."categoryId" = products_listing."categoryId"
