-- The hundred products of a store with most net sales in the period, each with its metrics, and how many there are.

with

{{store}},

{{metrics: product_no | | store_no = {{of_store: store_no}} | select product_no, customer_no | sales}},

{{nodes}},

{{product_rows: is_catalogued or sold.units > 0}}

select
    {{product_columns: }},
    count(*) over () as "pagination.total",
    ceil(count(*) over () / 100.0) as "pagination.totalPages"
from product_rows
join nodes using (category_no)
order by amount(net_sales) desc nulls last, product_id
limit 100
