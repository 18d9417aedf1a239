-- What BG/NBD and Gamma-Gamma need of the customers: as known on the horizon, and as known 26 weeks before it, with what the
-- customers bought in these weeks. A purchase is a local day with counted orders; times are days.
-- Grain: one row per day on which it is known, and group of customers with the same x, T, t_x, month of the first order and
-- revenue of the repeat purchases. `repeat_revenue` is that of each of them, the other amounts are their sums.
-- Follows [D55].

with

-- Grain: one row per customer and day with orders.
purchases as (

    select
        orders.customer_no,
        orders.ordered_on as purchased_on,
        any_value(orders.first_month) as first_month,
        any_value(organization.horizon_on) as horizon_on,
        any_value(organization.horizon_on - 182) as cutoff_on,
        sum(orders.revenue) as revenue
    from orders
    cross join organization
    where orders.customer_no is not null
    group by orders.customer_no, orders.ordered_on

),

-- Grain: one row per customer.
histories as (

    select
        any_value(first_month) as first_month,
        any_value(horizon_on) as horizon_on,
        any_value(cutoff_on) as cutoff_on,
        min(purchased_on) as first_on,
        max(purchased_on) as last_on,
        max(purchased_on) filter (where purchased_on <= cutoff_on) as last_on_at_cutoff,
        count(*) as purchases,
        count(*) filter (where purchased_on <= cutoff_on) as purchases_at_cutoff,
        arg_min(revenue, purchased_on) as first_revenue,
        sum(revenue) as revenue,
        coalesce(sum(revenue) filter (where purchased_on <= cutoff_on), 0) as revenue_at_cutoff
    from purchases
    group by customer_no

),

known_histories as (

    select
        horizon_on as known_on,
        purchases,
        first_on,
        last_on,
        first_month,
        first_revenue,
        revenue,
        0 as later_purchases,
        0 as later_revenue
    from histories
    union all
    select
        cutoff_on,
        purchases_at_cutoff,
        first_on,
        last_on_at_cutoff,
        first_month,
        first_revenue,
        revenue_at_cutoff,
        purchases - purchases_at_cutoff,
        revenue - revenue_at_cutoff
    from histories
    where purchases_at_cutoff > 0

)

select
    known_on,
    (purchases - 1)::int as repeat_purchases,
    (known_on - first_on)::int as age_days,
    (last_on - first_on)::int as recency_days,
    first_month,
    (revenue - first_revenue)::decimal(38, 6) as repeat_revenue,
    count(*)::int as customers,
    sum(revenue)::decimal(38, 6) as revenue,
    sum(later_purchases)::int as later_purchases,
    sum(later_revenue)::decimal(38, 6) as later_revenue
from known_histories
group by all
order by known_on desc, repeat_purchases, age_days, recency_days, first_month, repeat_revenue
