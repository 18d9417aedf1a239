-- The people who bought, each described by the first order [D5], [D6].
-- Grain: one row per customer. Revenue is to date.
-- Key: customer_no
-- Kept for: analyses
-- Order: first_on, customer_no
-- Per: customer

with

described as (

    select
        customer_no,
        -- `first_channel` is called `channel`: a customer has one.
        any_value(columns('^first_(.+)$')) as '\1',
        count(*) as orders,
        bool_or(is_recurring) as has_repurchased,
        sum(revenue) as revenue,
        -- In calendar months after that of the first order [D25].
        coalesce(sum(revenue) filter (where ordered_month > first_month), 0) as retention_revenue
    from orders
    where customer_no is not null
    group by customer_no

)

select * rename ("on" as first_on, "month" as first_month)
from described
