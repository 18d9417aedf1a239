-- The rows of the cohort analysis, before rounding [D30].
-- Parameters: start_date, end_date, group_by, break_by.

-- The dimension of the paybacks; null without a breakdown.
create macro breakdown_dimension() as
    case break_by()
        when 'origem' then 'channel'
        when 'campanha' then 'campaign'
        else unknown_choice('break_by', break_by())
    end;

-- The number of months in a step of a cohort [D30].
create macro step_months() as
    case group_by()
        when 'year' then 12
        when 'quarter' then 3
        when 'month' then 1
        else unknown_choice('group_by', group_by())
    end;

-- The first month of a day's cohort.
create macro cohort_of(happened_on) as date_trunc(group_by(), happened_on)::date;

-- The step of its cohort that the month `month_no` after that of the first order is in.
create macro step_of(first_on, month_no) as
    (date_diff('month', cohort_of(first_on), first_on) + month_no) // step_months();

-- The last step: that of the horizon [D7].
create macro last_step(cohort_on, horizon_on) as date_diff('month', cohort_on, cohort_of(horizon_on)) // step_months();

-- Of the customers who bought in a month, those who had not bought yet in the step that the month is in: each customer
-- of a step once.
create macro step_customers(of_month, of_quarter, of_year) as
    case group_by()
        when 'year' then of_year
        when 'quarter' then of_quarter
        when 'month' then of_month
        else unknown_choice('group_by', group_by())
    end;

-- The cells of one row, by the number of their step.
create macro steps_of(step_no, customers, revenue, repeat_revenue) as
    map(list(step_no), list({customers: customers, revenue: revenue, repeat_revenue: repeat_revenue}));

create macro purchases_by_attribute() as table
    select *, breakdown_source(campaign_connector) as source, breakdown_value(channel, campaign_key, coupon) as break_key
    from daily_cohorts;

create macro purchases_by_category() as table
    select *, integration_id as source, category_id as break_key
    from daily_category_cohorts;

-- Cohorts that are sums of daily figures.
-- Grain: one row per cohort and value of the breakdown, which is its key and source. `steps`: the steps with an order.
create macro summed_cohorts() as table
    with
    cells as (
        select
            cohort_of(first_on) as cohort_on,
            source,
            break_key,
            step_of(first_on, month_no) as step_no,
            sum(step_customers(customers, quarter_customers, year_customers))::bigint as customers,
            sum(repurchase_customers) as repurchase_customers,
            sum(revenue) as revenue,
            sum(direct_revenue) as direct_revenue,
            sum(repeat_revenue) as repeat_revenue
        -- As a text, so that only the chosen branch is planned: planning all of them takes longer than the rows.
        from query(
            case break_by() when 'categoria' then 'from purchases_by_category()' else 'from purchases_by_attribute()' end
        )
        where is_in_period(first_on)
        group by all
    )
    select
        cohort_on,
        source,
        break_key,
        -- Every customer has bought in step 0.
        any_value(customers) filter (where step_no = 0) as customers,
        sum(repurchase_customers)::bigint as repurchase_customers,
        sum(revenue) as revenue,
        sum(direct_revenue) as direct_revenue,
        steps_of(step_no, customers, revenue, repeat_revenue) as steps
    from cells
    group by cohort_on, source, break_key;

-- The rows of the answer without a breakdown. There is a payback by channel and campaign only.
create macro whole_cohorts() as table
    select
        cohorts.*,
        null::varchar as shown_key,
        null::varchar as break_label,
        or_zero(spend.investment) as investment,
        null::double as payback
    from summed_cohorts() as cohorts
    left join spend_by_cohort(group_by()) as spend on spend.cohort_on = cohorts.cohort_on;

-- By channel or campaign, which have spend of their own.
create macro cohorts_by_source() as table
    with
    cohorts as materialized (from summed_cohorts()),
    windows as (
        select
            date_diff('day', date '1900-01-01', cohort_on) as window_no,
            greatest(cohort_on, coalesce(period_start(), cohort_on)) as first_on,
            least(
                last_day(cohort_on + to_months(step_months() - 1)),
                coalesce(period_end(), 'infinity'::date)
            ) as last_on
        from (select distinct cohort_on from cohorts)
    )
    select
        cohorts.*,
        coalesce(campaigns.campaign_id, cohorts.break_key) as shown_key,
        case break_by()
            when 'origem' then channel_label(cohorts.break_key)
            else coalesce(campaigns.campaign_name, cohorts.break_key)
        end as break_label,
        or_zero(spend.investment) as investment,
        paybacks.months as payback
    from cohorts
    left join spend_by_cohort_and_source(group_by()) as spend
        on spend.cohort_on = cohorts.cohort_on
        and spend.source is not distinct from cohorts.source
        and spend.break_key is not distinct from cohorts.break_key
    left join paybacks('windows', breakdown_dimension()) as paybacks
        on date '1900-01-01' + paybacks.window_no::int = cohorts.cohort_on
        and paybacks.break_source is not distinct from cohorts.source
        and paybacks.break_key is not distinct from cohorts.break_key
    left join campaigns
        on break_by() = 'campanha'
        and campaigns.connector = cohorts.source and campaigns.campaign_key = cohorts.break_key;

create macro cohorts_by_coupon() as table
    select
        *,
        break_key as shown_key,
        break_key as break_label,
        null::decimal(38, 6) as investment,
        null::double as payback
    from summed_cohorts();

create macro cohorts_by_category() as table
    select
        cohorts.*,
        cohorts.break_key as shown_key,
        categories.name as break_label,
        null::decimal(38, 6) as investment,
        null::double as payback
    from summed_cohorts() as cohorts
    left join categories
        on categories.integration_id = cohorts.source and categories.category_id = cohorts.break_key;

-- By product: of the customers themselves, since daily figures by product would be as many.
create macro cohorts_by_product() as table
    with
    -- Numbers are grouped faster than ids.
    keys as materialized (
        select
            integration_id as source,
            product_id as break_key,
            coalesce(products.name, product_names.name) as break_label,
            row_number() over () as key_no
        from products
        full join product_names using (integration_id, product_id)
    ),
    cells as (
        select
            cohort_of(months.first_on) as cohort_on,
            keys.key_no,
            step_of(months.first_on, months.month_no) as step_no,
            count(*) filter (
                where step_customers(true, months.is_first_in_quarter, months.is_first_in_year)
            ) as customers,
            count(*) filter (where months.is_first_repeat) as repurchase_customers,
            sum(months.revenue) as revenue,
            sum(months.direct_revenue) as direct_revenue,
            sum(months.repeat_revenue) as repeat_revenue
        from first_purchases as bought
        join keys on keys.source = bought.integration_id and keys.break_key = bought.product_id
        join customer_months as months on months.customer_no = bought.customer_no
        where is_in_period(bought.first_on) and is_in_period(months.first_on)
        group by all
    ),
    cohorts as (
        select
            cohort_on,
            key_no,
            any_value(customers) filter (where step_no = 0) as customers,
            sum(repurchase_customers)::bigint as repurchase_customers,
            sum(revenue) as revenue,
            sum(direct_revenue) as direct_revenue,
            steps_of(step_no, customers, revenue, repeat_revenue) as steps
        from cells
        group by cohort_on, key_no
    )
    select
        cohorts.* exclude (key_no),
        keys.* exclude (key_no),
        keys.break_key as shown_key,
        null::decimal(38, 6) as investment,
        null::double as payback
    from cohorts
    join keys using (key_no);

-- The rows of the answer with a breakdown.
create macro broken_down_cohorts() as table
    with
    cohorts as (
        select found.*, last_step(cohort_on, organization.horizon_on) + 1 as cells
        from query(
            case coalesce(break_by(), 'origem')
                when 'origem' then 'from cohorts_by_source()'
                when 'campanha' then 'from cohorts_by_source()'
                when 'cupom' then 'from cohorts_by_coupon()'
                when 'produto' then 'from cohorts_by_product()'
                when 'categoria' then 'from cohorts_by_category()'
                else unknown_choice('break_by', break_by())
            end
        ) as found
        cross join organization
    )
    from fitting_cohorts('cohorts');

-- The rows of the answer: an analysis plans the requested breakdown only.
create macro cohort_rows() as table
    from query(
        case
            when break_by() is null then 'select *, 0 as rows_left_out from whole_cohorts()'
            else 'from broken_down_cohorts()'
        end
    );
