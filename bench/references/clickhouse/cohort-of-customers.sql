    -- The purchases per month of the customers whose first order is in the period. A customer is in one row.
    active_cells as (
        select
            first_month as cohort_on,
            0 as store_no,
            multiIf(
                break_by = 'origem', first_channel,
                break_by = 'campanha', first_campaign_key,
                break_by = 'cupom', first_coupon,
                ''
            ) as break_key,
            months_between(first_month, ordered_month) as step,
            groupBitmap(customer_no) as cell_customers,
            sum(revenue) as cell_revenue,
            sumIf(revenue, is_recurring) as cell_repeat_revenue
        from orders
        where customer_no <> 0
            and ({start_date:Nullable(Date)} is null or first_on between {start_date:Nullable(Date)} and {end_date:Nullable(Date)})
        group by cohort_on, break_key, step
    ),

    row_totals as (
        select
            first_month as cohort_on,
            0 as store_no,
            multiIf(
                break_by = 'origem', first_channel,
                break_by = 'campanha', first_campaign_key,
                break_by = 'cupom', first_coupon,
                ''
            ) as break_key,
            groupBitmap(customer_no) as customers,
            groupBitmapIf(customer_no, is_recurring) as repurchase_customers
        from orders
        where customer_no <> 0
            and ({start_date:Nullable(Date)} is null or first_on between {start_date:Nullable(Date)} and {end_date:Nullable(Date)})
        group by cohort_on, break_key
    ),
