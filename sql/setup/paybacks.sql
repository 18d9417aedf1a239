-- Months until the contribution of the customers acquired in a month covers the spend of that month [D26].
-- Grain: one row per window and value of the dimension with a month that has paid back; months without spend, and
-- months that have not paid back yet, are left out. A campaign is its connector (`break_source`) and key [D13].
-- `windows`: the name of a relation of them. `dimension`: customers and spend are compared per 'channel' or
-- 'campaign'.
create macro paybacks(windows, dimension) as table
    with
    periods as not materialized (from query_table(windows)),
    month_spend as (
        select
            periods.window_no,
            case when dimension = 'campaign' then media_spend.connector end as break_source,
            case dimension
                when 'channel' then media_spend.connector
                when 'campaign' then media_spend.campaign_key
            end as break_key,
            date_trunc('month', media_spend.spent_on)::date as first_month,
            sum(media_spend.spend) as spend
        from analysed_spend() as media_spend
        join periods on media_spend.spent_on between periods.first_on and periods.last_on
        group by all
    ),
    month_customers as (
        select
            periods.window_no,
            case when dimension = 'campaign' then daily_acquisitions.campaign_connector end as break_source,
            case dimension
                when 'channel' then daily_acquisitions.channel
                when 'campaign' then daily_acquisitions.campaign_key
            end as break_key,
            daily_acquisitions.first_month,
            sum(daily_acquisitions.customers) as customers
        from analysed_acquisitions() as daily_acquisitions
        join periods on daily_acquisitions.first_on between periods.first_on and periods.last_on
        group by all
    ),
    month_revenue as (
        select
            periods.window_no,
            case when dimension = 'campaign' then daily_cohorts.campaign_connector end as break_source,
            case dimension
                when 'channel' then daily_cohorts.channel
                when 'campaign' then daily_cohorts.campaign_key
            end as break_key,
            daily_cohorts.first_month,
            daily_cohorts.month_no,
            sum(daily_cohorts.revenue) as revenue
        from analysed_cohorts() as daily_cohorts
        join periods on daily_cohorts.first_on between periods.first_on and periods.last_on
        group by all
    ),
    accumulated as (
        select
            * exclude (revenue),
            sum(revenue) over (
                partition by window_no, break_source, break_key, first_month order by month_no
            ) as revenue
        from month_revenue
    ),
    paid_back as (
        select
            accumulated.window_no,
            accumulated.break_source,
            accumulated.break_key,
            accumulated.first_month,
            min(accumulated.month_no) as months
        from accumulated
        join month_spend
            on month_spend.window_no = accumulated.window_no
            and month_spend.break_source is not distinct from accumulated.break_source
            and month_spend.break_key is not distinct from accumulated.break_key
            and month_spend.first_month = accumulated.first_month
        where month_spend.spend > 0
            and accumulated.revenue * (select margin_rate from margin) >= month_spend.spend
        group by all
    )
    select
        paid_back.window_no,
        paid_back.break_source,
        paid_back.break_key,
        safe_divide(sum(paid_back.months * month_customers.customers), sum(month_customers.customers)) as months
    from paid_back
    join month_customers
        on month_customers.window_no = paid_back.window_no
        and month_customers.break_source is not distinct from paid_back.break_source
        and month_customers.break_key is not distinct from paid_back.break_key
        and month_customers.first_month = paid_back.first_month
    group by paid_back.window_no, paid_back.break_source, paid_back.break_key;

-- The same for all customers and all spend together, or for those of one strategy.
-- Grain: one row per window with a month that has paid back. `compared`: 'all', or the strategy.
create macro total_paybacks(windows, compared) as table
    with
    periods as not materialized (from query_table(windows)),
    cells as (
        select
            periods.window_no,
            daily_paybacks.first_month,
            daily_paybacks.month_no,
            sum(daily_paybacks.revenue) as revenue,
            sum(daily_paybacks.customers) as customers,
            sum(daily_paybacks.spend) as spend
        from analysed_paybacks() as daily_paybacks
        join periods on daily_paybacks.day_on between periods.first_on and periods.last_on
        where daily_paybacks.segment = compared
        group by periods.window_no, daily_paybacks.first_month, daily_paybacks.month_no
    ),
    paid_back as (
        select cells.window_no, any_value(cells.customers) as customers, min(cells.month_no) as months
        from cells
        cross join margin
        where cells.spend > 0 and cells.revenue * margin.margin_rate >= cells.spend
        group by cells.window_no, cells.first_month
    )
    select window_no, safe_divide(sum(months * customers), sum(customers)) as months
    from paid_back
    group by window_no;
