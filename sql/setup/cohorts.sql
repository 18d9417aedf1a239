-- The rows of the cohort analysis, before rounding [D30], [D87].
-- Parameters: start_date, end_date, group_by, break_by, integration_id, channel.

-- The number of months in a step of a cohort [D30].
create macro step_months() as
    case group_by()
        when 'year' then 12
        when 'quarter' then 3
        when 'month' then 1
        when 'week' then 1
        else unknown_choice('group_by', group_by())
    end;

-- The first day of a day's cohort: a Monday, or the first of a month.
create macro cohort_of(happened_on) as date_trunc(group_by(), happened_on)::date;

-- The step of its cohort that the month `month_no` after that of the first order is in.
create macro step_of(first_on, month_no) as
    (date_diff('month', cohort_of(first_on), first_on) + month_no) // step_months();

-- The step of its cohort that a day is in.
create macro step_on(cohort_on, happened_on) as
    case group_by()
        when 'week' then (happened_on - cohort_on) // 7
        else date_diff('month', cohort_on, happened_on) // step_months()
    end;

-- The last step: that of the horizon [D7].
create macro last_step(cohort_on, horizon_on) as step_on(cohort_on, horizon_on);

-- The last day of a cohort.
create macro cohort_end(cohort_on) as
    case group_by()
        when 'week' then cohort_on + 6
        else last_day((cohort_on + to_months(step_months() - 1))::date)
    end;

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

-- The cells of cohorts of weeks, from the orders of their customers.
-- Grain: one row per cohort, value and step with an order. Every customer has bought in step 0.
create macro cells_of_orders() as table
    select
        cohort_of(orders.first_on) as cohort_on,
        members.source,
        members.break_key,
        step_on(cohort_of(orders.first_on), greatest(orders.ordered_on, orders.first_on)) as step_no,
        count(distinct members.customer_no)::bigint as customers,
        count(distinct members.customer_no) filter (
            where orders.is_first and customers.has_repurchased
        ) as repurchase_customers,
        sum(orders.revenue) as revenue,
        coalesce(sum(orders.revenue) filter (where not orders.is_recurring), 0) as direct_revenue,
        coalesce(sum(orders.revenue) filter (where orders.is_recurring), 0) as repeat_revenue
    from cohort_members() as members
    join customers on customers.customer_no = members.customer_no
    join orders on orders.customer_no = members.customer_no
    group by all;

-- By category from sums by day, which are of all stores and channels.
create macro is_of_category_sums() as break_by() = 'categoria' and not is_filtered();
create macro purchases_by_category() as table
    select *, [integration_id] as source, [category_id] as break_key
    from daily_category_cohorts;

-- The same of others, from sums by month.
create macro cells_of_months() as table
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
    from query(if(is_of_category_sums(), 'from purchases_by_category()', 'from cohort_purchases()'))
    where is_in_period(first_on)
    group by all;

-- By product: of the customers themselves, since sums by product would be as many.
create macro cells_of_products() as table
    with
    -- Numbers are grouped faster than ids.
    keys as materialized (
        select integration_id, product_id, row_number() over () as key_no
        from (
            select integration_id, product_id from products
            union
            select integration_id, product_id from product_names
        )
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
            or_zero(sum(months.direct_revenue)) as direct_revenue,
            or_zero(sum(months.repeat_revenue)) as repeat_revenue
        from first_purchases as bought
        join keys on keys.integration_id = bought.integration_id and keys.product_id = bought.product_id
        join customer_months as months on months.customer_no = bought.customer_no
        where bought.is_of_product
            and is_in_period(bought.first_on)
            and is_in_period(months.first_on)
            and passes_filters(months.integration_id, months.channel)
        group by all
    )
    select cells.* exclude (key_no), [keys.integration_id] as source, [keys.product_id] as break_key
    from cells
    join keys on keys.key_no = cells.key_no;

-- Cohorts that are sums of their cells.
-- Grain: one row per cohort and value, which is its `break_key` and `source`. `steps`: the steps with an order.
create macro summed_cohorts() as table
    with
    cells as (
        from query(
            case
                when group_by() = 'week' then 'from cells_of_orders()'
                when break_by() = 'produto' then 'from cells_of_products()'
                else 'from cells_of_months()'
            end
        )
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

-- The rows of the answer without a breakdown. There is a payback of values only.
create macro whole_cohorts() as table
    select
        cohorts.*,
        null::varchar[] as shown_keys,
        null::varchar[] as labels,
        case when knowledge.is_known then or_zero(spend.investment) end as investment,
        null::double as payback,
        0 as rows_left_out
    from summed_cohorts() as cohorts
    cross join spend_knowledge() as knowledge
    left join spend_by_cohort(group_by()) as spend on spend.cohort_on = cohorts.cohort_on;

-- Those with a breakdown, without their spend.
create macro broken_down_cohorts() as table
    with
    cohorts as (
        select found.*, last_step(cohort_on, organization.horizon_on) + 1 as cells
        from summed_cohorts() as found
        cross join organization
    ),
    fitting as materialized (from fitting_cohorts('cohorts'))
    from shown_rows('fitting');

create macro cohorts_without_spend() as table
    select *, null::decimal(38, 6) as investment, null::double as payback
    from broken_down_cohorts();

create macro cohorts_with_spend() as table
    with
    cohorts as materialized (from broken_down_cohorts()),
    windows as (
        select
            date_diff('day', date '1900-01-01', cohort_on) as window_no,
            greatest(cohort_on, coalesce(period_start(), cohort_on)) as first_on,
            least(cohort_end(cohort_on), coalesce(period_end(), 'infinity'::date)) as last_on
        from (select distinct cohort_on from cohorts)
    ),
    spend_rows as not materialized (from spend_of_values()),
    cohort_rows as not materialized (from cohort_purchases())
    select
        cohorts.*,
        case when cohorts.has_known_spend then or_zero(spend.investment) end as investment,
        paybacks.months as payback
    from cohorts
    left join spend_by_cohort_and_value(group_by()) as spend
        on spend.cohort_on = cohorts.cohort_on
        and is_same(spend.source, cohorts.source)
        and is_same(spend.break_key, cohorts.break_key)
    left join paybacks_of_values('windows', 'spend_rows', 'cohort_rows') as paybacks
        on date '1900-01-01' + paybacks.window_no::int = cohorts.cohort_on
        and is_same(paybacks.source, cohorts.source)
        and is_same(paybacks.break_key, cohorts.break_key);

-- The rows of the answer: an analysis plans the requested breakdown only.
create macro cohort_rows() as table
    from query(
        case
            when broken_by() is null then 'from whole_cohorts()'
            when has_spend_of_values() then 'from cohorts_with_spend()'
            else 'from cohorts_without_spend()'
        end
    );
