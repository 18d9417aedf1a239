-- The customers whose first order lies in the period, and what they bought in which month.
bought as materialized (

    select
        first_month as cohort_on,
        null::smallint as store_no,
        case $break_by
            when 'origem' then first_channel
            when 'campanha' then first_campaign_key
            when 'cupom' then first_coupon
        end as break_key,
        customer_no,
        greatest(ordered_month, first_month) as month_on,
        sum(revenue) as revenue,
        sum(revenue) filter (where not is_recurring) as direct_revenue,
        sum(revenue) filter (where is_recurring) as repeat_revenue
    from orders
    where customer_no is not null
        and ($start_date::date is null or first_on between $start_date::date and $end_date::date)
    group by 1, 2, 3, 4, 5

),
