-- The purchases per month of the customers whose first order is in the period. A customer is in one row. Amounts are
-- added up as they are read; `count(distinct …)` would sort, so distinct customers are hashed and then counted.
cell_amounts as (

    select
        first_month as cohort_on,
        case $break_by
            when 'origem' then first_channel
            when 'campanha' then first_campaign_key
            when 'cupom' then first_coupon
        end as break_key,
        greatest(ordered_month, first_month) as month_on,
        sum(revenue) as revenue,
        sum(revenue) filter (where not is_recurring) as direct_revenue,
        sum(revenue) filter (where is_recurring) as repeat_revenue
    from orders
    where customer_no is not null
        and ($start_date::date is null or first_on between $start_date::date and $end_date::date)
    group by 1, 2, 3

),

cell_customers as (

    select cohort_on, break_key, month_on, count(*) as customers
    from (
        select distinct
            first_month as cohort_on,
            case $break_by
                when 'origem' then first_channel
                when 'campanha' then first_campaign_key
                when 'cupom' then first_coupon
            end as break_key,
            greatest(ordered_month, first_month) as month_on,
            customer_no
        from orders
        where customer_no is not null
            and ($start_date::date is null or first_on between $start_date::date and $end_date::date)
    ) as customers_of_cell
    group by 1, 2, 3

),

active_cells as (

    select
        cell_amounts.cohort_on,
        null::smallint as store_no,
        cell_amounts.break_key,
        cell_amounts.month_on,
        cell_customers.customers,
        cell_amounts.revenue,
        cell_amounts.direct_revenue,
        cell_amounts.repeat_revenue
    from cell_amounts
    join cell_customers
        on cell_customers.cohort_on = cell_amounts.cohort_on
        and coalesce(cell_customers.break_key, '') = coalesce(cell_amounts.break_key, '')
        and cell_customers.month_on = cell_amounts.month_on

),

row_totals as (

    select
        customers.first_month as cohort_on,
        null::smallint as store_no,
        case $break_by
            when 'origem' then customers.channel
            when 'campanha' then customers.campaign_key
            when 'cupom' then customers.coupon
        end as break_key,
        count(*) as customers,
        count(returned.customer_no) as repurchase_customers
    from customers
    left join (
        select distinct customer_no from orders where is_recurring
    ) as returned using (customer_no)
    where $start_date::date is null or customers.first_on between $start_date::date and $end_date::date
    group by 1, 2, 3

),
