-- Payback curves [D52]: what the customers acquired in a month brought in by each month since, and what they cost.
-- Parameters: start_date, end_date, break_by, integration_id, channel.

-- The customers acquired in each month of the period.
-- Grain: one row per month and value, which is its `break_key` and `source`.
create macro acquired_cohorts() as table
    select first_month as cohort_on, source, break_key, sum(customers)::bigint as customers
    from cohort_purchases()
    -- Every customer has bought in the month of the first order.
    where month_no = 0 and is_in_period(first_on)
    group by all;

create macro whole_paybacks() as table
    select
        cohorts.*,
        null::varchar[] as shown_keys,
        null::varchar[] as labels,
        case when knowledge.is_known then or_zero(spend.investment) end as investment,
        0 as rows_left_out
    from acquired_cohorts() as cohorts
    cross join spend_knowledge() as knowledge
    left join spend_by_cohort('month') as spend using (cohort_on);

-- Those with a breakdown, without their spend.
create macro broken_down_paybacks() as table
    with
    cohorts as (
        select acquired.*, date_diff('month', acquired.cohort_on, organization.horizon_on) + 1 as cells
        from acquired_cohorts() as acquired
        cross join organization
    ),
    fitting as materialized (from fitting_cohorts('cohorts'))
    from shown_rows('fitting');

create macro paybacks_without_spend() as table
    select *, null::decimal(38, 6) as investment
    from broken_down_paybacks();

create macro paybacks_with_spend() as table
    select cohorts.*, case when cohorts.has_known_spend then or_zero(spend.investment) end as investment
    from broken_down_paybacks() as cohorts
    left join spend_by_cohort_and_value('month') as spend
        on spend.cohort_on = cohorts.cohort_on
        and is_same(spend.source, cohorts.source)
        and is_same(spend.break_key, cohorts.break_key);

-- The rows of the answer, without their points.
create macro payback_rows() as table
    -- As a text, so that only the chosen branch is planned: planning all of them takes longer than the rows.
    from query(
        case
            when broken_by() is null then 'from whole_paybacks()'
            when has_spend_of_values() then 'from paybacks_with_spend()'
            else 'from paybacks_without_spend()'
        end
    );

-- What the customers of `cohorts`, some rows of acquired_cohorts, had brought in by each month since.
-- Grain: one row per row of `cohorts` and month, through that of the horizon [D7], with the columns of both. A month is
-- complete if the horizon is not before its last day.
create macro payback_points(cohorts) as table
    with
    months as (
        select
            first_month as cohort_on,
            source,
            break_key,
            month_no,
            sum(revenue) as revenue,
            sum(square_thousands) as square_thousands,
            sum(square_rest) as square_rest
        from cohort_purchases()
        where is_in_period(first_on)
        group by all
    ),
    points as (
        select
            cohorts.*,
            organization.horizon_on,
            unnest(generate_series(0, date_diff('month', cohorts.cohort_on, organization.horizon_on))) as month_no
        from query_table(cohorts) as cohorts
        cross join organization
    )
    select
        points.* exclude (horizon_on),
        last_day(points.cohort_on + to_months(points.month_no::int)) <= points.horizon_on as is_complete,
        sum(months.revenue) over by_now as revenue,
        sum(months.square_thousands) over by_now as square_thousands,
        sum(months.square_rest) over by_now as square_rest
    from points
    left join months
        on months.cohort_on = points.cohort_on
        and is_same(months.source, points.source)
        and is_same(months.break_key, points.break_key)
        and months.month_no = points.month_no
    window by_now as (
        partition by points.cohort_on, points.source, points.break_key order by points.month_no
    );

-- The rows with `error`: the half width of the 95 % interval of the customers' mean revenue, 1.96 × s / √customers; null
-- below two customers. Integers, in millionths, so that the error of customers with equal revenue is 0, and not the
-- difference of two large numbers: Σ (x - a)² for the mean's integer part a, less what a differs from the mean.
-- `points`: rows with customers, revenue and the two parts of the squares [daily_cohorts].
create macro with_errors(points) as table
    with
    totals as (
        select *, (revenue * 1000000)::hugeint as total
        from query_table(points)
    ),
    means as (
        select
            *,
            total // customers as mean,
            total - mean * customers as remainder,
            mean // 1000000000 as mean_thousands
        from totals
    ),
    deviations as (
        select
            * exclude (total, mean, mean_thousands, square_thousands, square_rest),
            square_thousands::hugeint - customers * mean * mean_thousands as thousands,
            square_rest::hugeint - customers * mean * (mean - mean_thousands * 1000000000) - 2 * mean * remainder as rest
        from means
    ),
    carried as (
        select * exclude (rest), rest // 1000000000 as carry, rest - carry * 1000000000 as rest
        from deviations
    )
    select
        * exclude (remainder, thousands, carry, rest),
        0.00000196::double * sqrt(safe_divide(
            (thousands + carry)::double * 1000000000 + rest::double - remainder::double * remainder::double / customers,
            customers * (customers - 1)
        )) as error
    from carried;
