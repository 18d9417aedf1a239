-- The value of a dimension: 'channel', 'campaign', or 'all', which has one.
create macro of_dimension(dimension, channel, campaign_key) as
    case dimension
        when 'channel' then channel
        when 'campaign' then campaign_key
        when 'all' then null
        else unknown_choice('dimension', dimension)
    end;

-- Months until the contribution of the customers acquired in a month covers the spend of that month [D26].
-- Grain: one row per window and value with a month that has paid back; months without spend, and months that have not paid back
-- yet, are left out. A value is its `break_key` and `source`. The parameters are names of relations: `windows`, `spend_rows`
-- (spent_on, spend, break_key, source), and `cohort_rows` (first_on, first_month, month_no, customers, revenue, break_key, source).
create macro paybacks_of_values(windows, spend_rows, cohort_rows) as table
    with
    periods as not materialized (from query_table(windows)),
    month_spend as (
        select
            periods.window_no,
            spend_rows.source,
            spend_rows.break_key,
            date_trunc('month', spend_rows.spent_on)::date as first_month,
            sum(spend_rows.spend) as spend
        from query_table(spend_rows) as spend_rows
        join periods on spend_rows.spent_on between periods.first_on and periods.last_on
        group by all
    ),
    months as (
        select
            periods.window_no,
            cohort_rows.source,
            cohort_rows.break_key,
            cohort_rows.first_month,
            cohort_rows.month_no,
            sum(cohort_rows.customers) as customers,
            sum(cohort_rows.revenue) as revenue
        from query_table(cohort_rows) as cohort_rows
        join periods on cohort_rows.first_on between periods.first_on and periods.last_on
        group by all
    ),
    accumulated as (
        select
            * exclude (customers, revenue),
            -- Every customer has bought in the month of the first order.
            first_value(customers) over by_now as customers,
            sum(revenue) over by_now as revenue
        from months
        window by_now as (partition by window_no, source, break_key, first_month order by month_no)
    ),
    paid_back as (
        select
            accumulated.window_no,
            accumulated.source,
            accumulated.break_key,
            any_value(accumulated.customers) as customers,
            min(accumulated.month_no) as months
        from accumulated
        join month_spend
            on month_spend.window_no = accumulated.window_no
            and month_spend.source is not distinct from accumulated.source
            and month_spend.break_key is not distinct from accumulated.break_key
            and month_spend.first_month = accumulated.first_month
        where month_spend.spend > 0
            and accumulated.revenue * (select margin_rate from margin) >= month_spend.spend
        group by accumulated.window_no, accumulated.source, accumulated.break_key, accumulated.first_month
    )
    select window_no, source, break_key, safe_divide(sum(months * customers), sum(customers)) as months
    from paid_back
    group by window_no, source, break_key;

-- The same per 'channel' or 'campaign' (`dimension`), which is its connector (`source`) and key [D13].
create macro paybacks(windows, dimension) as table
    with
    spend_rows as not materialized (
        select
            spent_on,
            spend,
            case when dimension = 'campaign' then connector end as source,
            of_dimension(dimension, connector, campaign_key) as break_key
        from analysed_spend()
    ),
    cohort_rows as not materialized (
        select
            first_on,
            first_month,
            month_no,
            customers,
            revenue,
            case when dimension = 'campaign' then campaign_connector end as source,
            of_dimension(dimension, channel, campaign_key) as break_key
        from analysed_cohorts()
    )
    from paybacks_of_values(windows, 'spend_rows', 'cohort_rows');

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
