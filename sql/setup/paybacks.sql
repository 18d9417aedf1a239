-- Months until the contribution of the customers acquired in a month covers the spend of that month [D26].
-- Grain: one row per window and value of the dimension with a month that has paid back; months without spend, and
-- months that have not paid back yet, are left out. A campaign is its connector (`break_source`) and key [D13].
-- `windows`: a list of {window_no, first_on, last_on}. `compared_by`: customers and spend are compared per 'strategy',
-- 'channel' or 'campaign'; null for all together.
create macro paybacks(windows, compared_by) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    cells as (
        select
            periods.window_no,
            daily_paybacks.break_source,
            daily_paybacks.break_key,
            date_trunc('month', daily_paybacks.day_on)::date as first_month,
            daily_paybacks.month_no,
            sum(daily_paybacks.revenue) as revenue,
            sum(daily_paybacks.customers) as customers,
            sum(daily_paybacks.spend) as spend
        from daily_paybacks
        join periods on daily_paybacks.day_on between periods.first_on and periods.last_on
        where daily_paybacks.dimension = coalesce(compared_by, 'all')
        group by all
    ),
    accumulated as (
        select
            window_no,
            break_source,
            break_key,
            first_month,
            month_no,
            sum(revenue) over months as revenue,
            -- Those of the whole month: both are in month 0.
            sum(customers) over months as customers,
            sum(spend) over months as spend
        from cells
        window months as (partition by window_no, break_source, break_key, first_month order by month_no)
    ),
    paid_back as (
        select
            window_no,
            break_source,
            break_key,
            any_value(customers) as customers,
            min(month_no) as months
        from accumulated
        where spend > 0
            and revenue * (select margin_rate from margin) >= spend
        group by window_no, break_source, break_key, first_month
    )
    select window_no, break_source, break_key, safe_divide(sum(months * customers), sum(customers)) as months
    from paid_back
    group by window_no, break_source, break_key;
