-- Purchases of the customers acquired on a day, by month since and category of the first purchase [D30], [D38]. A customer
-- is in the rows of every category of that purchase: rows must not be summed over categories. The figures are those of
-- daily_cohorts.
-- Grain: one row per day of the first order, category, and month since. Products without a category are one category,
-- `uncategorized`, of no integration.
-- Key: first_on, integration_id, category_id, month_no
-- Kept for: analyses
-- Order: first_on, integration_id, category_id, month_no
-- Sums: customers, quarter_customers, year_customers, repurchase_customers, revenue, direct_revenue, repeat_revenue

with

first_categories as (

    select distinct
        first_purchases.customer_no,
        case when products.category_id is not null then products.integration_id end as integration_id,
        coalesce(products.category_id, 'uncategorized') as category_id
    from first_purchases
    left join products
        on products.integration_id = first_purchases.integration_id and products.product_id = first_purchases.product_id

)

select
    customer_months.first_on,
    first_categories.integration_id,
    first_categories.category_id,
    customer_months.month_no,
    count(*) as customers,
    count(*) filter (where customer_months.is_first_in_quarter) as quarter_customers,
    count(*) filter (where customer_months.is_first_in_year) as year_customers,
    count(*) filter (where customer_months.is_first_repeat) as repurchase_customers,
    sum(customer_months.revenue) as revenue,
    coalesce(sum(customer_months.direct_revenue), 0) as direct_revenue,
    coalesce(sum(customer_months.repeat_revenue), 0) as repeat_revenue
from first_categories
join customer_months on customer_months.customer_no = first_categories.customer_no
group by all
