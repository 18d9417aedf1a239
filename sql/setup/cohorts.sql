-- The rows of the cohort analysis, before rounding [D30], [D87].
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
        when 'week' then 1
        else unknown_choice('group_by', group_by())
    end;

-- Whether cohorts are computed from orders, and not from sums by month: those of weeks, and by an attribute that the sums do not have.
create macro is_by_orders() as group_by() = 'week' or coalesce(break_by() in ('estado', 'cidade', 'pagamento'), false);

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

create macro purchases_by_attribute() as table
    select *, breakdown_source(campaign_connector) as source, breakdown_value(channel, campaign_key, coupon) as break_key
    from analysed_cohorts();

-- With a filter, those of the customers whose first order passes [D86].
create macro filtered_category_cohorts() as table
    with
    first_categories as (
        select distinct
            bought.customer_no,
            case when products.category_id is not null then products.integration_id end as source,
            coalesce(products.category_id, 'uncategorized') as break_key
        from first_purchases as bought
        semi join filtered_customers() as customers on customers.customer_no = bought.customer_no
        left join products on products.integration_id = bought.integration_id and products.product_id = bought.product_id
    )
    select
        months.first_on,
        first_categories.source,
        first_categories.break_key,
        months.month_no,
        count(*) as customers,
        count(*) filter (where months.is_first_in_quarter) as quarter_customers,
        count(*) filter (where months.is_first_in_year) as year_customers,
        count(*) filter (where months.is_first_repeat) as repurchase_customers,
        sum(months.revenue) as revenue,
        or_zero(sum(months.direct_revenue)) as direct_revenue,
        or_zero(sum(months.repeat_revenue)) as repeat_revenue
    from first_categories
    join customer_months as months on months.customer_no = first_categories.customer_no
    group by all;

create macro purchases_by_category() as table
    from query(
        unless_filtered(
            'select *, integration_id as source, category_id as break_key from daily_category_cohorts',
            'from filtered_category_cohorts()'
        )
    );

-- The value of the first order.
create macro first_order_key(order_rows) as
    case coalesce(break_by(), '')
        when '' then null
        when 'origem' then order_rows.channel
        when 'campanha' then order_rows.campaign_key
        when 'cupom' then order_rows.coupon
        when 'estado' then order_rows.state
        when 'cidade' then place_key(order_rows.state, order_rows.city_key)
        when 'pagamento' then order_rows.payment_group
        else unknown_choice('break_by', break_by())
    end;

-- The customers acquired in the period, with their values.
-- Grain: one row per customer and value: one per product or category of the first purchase, else one.
create macro members_by_attribute() as table
    select customer_no, breakdown_source(campaign_connector) as source, first_order_key(orders) as break_key
    from orders
    where is_first and is_in_period(first_on);

create macro members_by_product() as table
    select customer_no, integration_id as source, product_id as break_key
    from first_purchases
    where is_in_period(first_on);

create macro members_by_category() as table
    select distinct
        bought.customer_no,
        case when products.category_id is not null then bought.integration_id end as source,
        coalesce(products.category_id, 'uncategorized') as break_key
    from first_purchases as bought
    left join products on products.integration_id = bought.integration_id and products.product_id = bought.product_id
    where is_in_period(bought.first_on);

-- The cells of cohorts from the orders of their customers; with a filter, of those whose first order passes [D86].
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
    from query(
        case coalesce(break_by(), '')
            when 'produto' then 'from members_by_product()'
            when 'categoria' then 'from members_by_category()'
            else 'from members_by_attribute()'
        end
    ) as members
    join analysed_customers() as customers on customers.customer_no = members.customer_no
    join orders on orders.customer_no = members.customer_no
    group by all;

-- The same from sums by day.
create macro cells_of_days() as table
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
    group by all;

-- Cohorts that are sums of daily figures.
-- Grain: one row per cohort and value of the breakdown, which is its key and source. `steps`: the steps with an order.
create macro summed_cohorts() as table
    with
    cells as (
        from query(case when is_by_orders() then 'from cells_of_orders()' else 'from cells_of_days()' end)
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
        case when knowledge.is_known then or_zero(spend.investment) end as investment,
        null::double as payback
    from summed_cohorts() as cohorts
    cross join spend_knowledge() as knowledge
    left join spend_by_cohort(group_by()) as spend on spend.cohort_on = cohorts.cohort_on;

-- By channel or campaign, which have spend of their own.
create macro cohorts_by_source() as table
    with
    cohorts as materialized (from summed_cohorts()),
    windows as (
        select
            date_diff('day', date '1900-01-01', cohort_on) as window_no,
            greatest(cohort_on, coalesce(period_start(), cohort_on)) as first_on,
            least(cohort_end(cohort_on), coalesce(period_end(), 'infinity'::date)) as last_on
        from (select distinct cohort_on from cohorts)
    )
    select
        cohorts.*,
        coalesce(campaigns.campaign_id, cohorts.break_key) as shown_key,
        case break_by()
            when 'origem' then channel_label(cohorts.break_key)
            else coalesce(campaigns.campaign_name, cohorts.break_key)
        end as break_label,
        case
            when knowledge.is_known or not breakdown_has_spend(cohorts.source, cohorts.break_key) then or_zero(spend.investment)
        end as investment,
        paybacks.months as payback
    from cohorts
    cross join spend_knowledge() as knowledge
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

-- By an attribute without spend that other relations name.
create macro cohorts_by_place() as table
    select
        cohorts.*,
        cohorts.break_key as shown_key,
        coalesce(cities.name, cohorts.break_key) as break_label,
        null::decimal(38, 6) as investment,
        null::double as payback
    from summed_cohorts() as cohorts
    left join city_names() as cities on break_by() = 'cidade' and cities.place = cohorts.break_key;

create macro cohorts_by_payment() as table
    select
        *,
        break_key as shown_key,
        payment_group_label(break_key) as break_label,
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
            and passes_filters(months.integration_id, months.channel)
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

-- The same of weeks.
create macro weeks_by_product() as table
    select
        cohorts.*,
        cohorts.break_key as shown_key,
        coalesce(products.name, product_names.name) as break_label,
        null::decimal(38, 6) as investment,
        null::double as payback
    from summed_cohorts() as cohorts
    left join products on products.integration_id = cohorts.source and products.product_id = cohorts.break_key
    left join product_names
        on product_names.integration_id = cohorts.source and product_names.product_id = cohorts.break_key;

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
                when 'produto' then if(is_by_orders(), 'from weeks_by_product()', 'from cohorts_by_product()')
                when 'categoria' then 'from cohorts_by_category()'
                when 'estado' then 'from cohorts_by_place()'
                when 'cidade' then 'from cohorts_by_place()'
                when 'pagamento' then 'from cohorts_by_payment()'
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
