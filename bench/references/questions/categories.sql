-- The totals of each category over the store's products: orders and customers count once in each.

with

{{store}},

-- The products of the catalog, and those sold in the period that it lacks, once for each of their categories.
members as {{materialized}} (

    select rollup_no, product_no, stock_state, available, skus, skus_read, stock_read_at
    from products
    join categories using (store_no, category_no)
    where store_no = {{of_store: store_no}}
        and (
            is_catalogued
            or product_no in (
                select product_no
                from product_sales
                where store_no = {{of_store: store_no}} and {{in_period: sold_on}}
            )
        )

),

-- The revenue of a customer is the same for each product of the first purchase.
{{metrics:
    rollup_no
    | join members using (product_no)
    | store_no = {{of_store: store_no}}
    | {{distinct: rollup_no, customer_no}}
    | orders
}},

stocks as (

    select
        rollup_no,
        case
            when count(*) filter (where stock_state = 'monitored') > 0 then 'monitored'
            when count(*) filter (where stock_state = 'unlimited') > 0 then 'unlimited'
            when count(*) filter (where stock_state = 'unmonitored') > 0 then 'unmonitored'
            else 'unknown'
        end as stock_state,
        sum(available) as available,
        sum(skus) as skus,
        sum(skus_read) as skus_read,
        min(stock_read_at) as stock_read_at
    from members
    group by rollup_no

),

{{nodes}},

category_rows as {{materialized}} (

    select
        stocks.rollup_no as rollup_no,
        stock_state,
        available,
        skus,
        skus_read,
        stock_read_at,
        {{metric_totals: orders}}
    from stocks
    left join sold using (rollup_no)
    left join recent using (rollup_no)
    left join cohorts using (rollup_no)

)

select
    $integration_id as "integrationId",
    rollup_id as "categoryId",
    rollup_name as "categoryName",
    rollup_parent_id as "parentCategoryId",
    rollup_depth as depth,
    {{metric_figures: }}
from category_rows
join nodes using (rollup_no)
order by place, rollup_id
