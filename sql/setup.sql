-- What every analysis stands on: the views over an organization's derived files, and the formulas, each in one place.
-- In a DuckDB shell, 1.5.0 or newer, from the project's folder (`data_dir` is the folder `data` unless it is set first):
--
--     set variable organization_id = '…';
--     .read sql/setup.sql
--     set variable p = {'start_date': date '2025-02-01', 'end_date': date '2025-02-28'};
--     .read sql/profitability/cards.sql
--
-- The service runs the same files. It sets `marts`, the folder of the present generation, anew for each request.

-- Up to the engine's 1.5.5 this rewrite gives wrong results for the latest row of each key.
set disabled_optimizers = 'top_n_window_elimination';

set variable data_dir = coalesce(getvariable('data_dir'), 'data');
set variable marts = (
    select getvariable('data_dir') || '/marts/organization_id=' || getvariable('organization_id') || '/'
        || regexp_extract(content, 'gen=\d+')
    from read_text(getvariable('data_dir') || '/marts/organization_id=' || getvariable('organization_id') || '/current')
);

-- ------------------------------------------------------------------------------------------------------------ views

-- The folders' names are read as no columns: every relation says itself whose rows it has.

create view organization as from read_parquet(getvariable('marts') || '/organization.parquet', hive_partitioning = false);
create view integrations as from read_parquet(getvariable('marts') || '/integrations.parquet', hive_partitioning = false);
create view margin as from read_parquet(getvariable('marts') || '/margin.parquet', hive_partitioning = false);
create view orders as from read_parquet(getvariable('marts') || '/orders*.parquet', hive_partitioning = false);
create view order_lines as from read_parquet(getvariable('marts') || '/order_lines*.parquet', hive_partitioning = false);
create view order_statuses as from read_parquet(getvariable('marts') || '/order_statuses.parquet', hive_partitioning = false);
create view aliased_orders as from read_parquet(getvariable('marts') || '/aliased_orders.parquet', hive_partitioning = false);
create view landed_records as from read_parquet(getvariable('marts') || '/landed_records.parquet', hive_partitioning = false);
create view customers as from read_parquet(getvariable('marts') || '/customers.parquet', hive_partitioning = false);
create view order_days as from read_parquet(getvariable('marts') || '/order_days.parquet', hive_partitioning = false);
create view customer_days as from read_parquet(getvariable('marts') || '/customer_days.parquet', hive_partitioning = false);
create view cohort_days as from read_parquet(getvariable('marts') || '/cohort_days.parquet', hive_partitioning = false);
create view customer_months as from read_parquet(getvariable('marts') || '/customer_months.parquet', hive_partitioning = false);
create view first_purchases as from read_parquet(getvariable('marts') || '/first_purchases.parquet', hive_partitioning = false);
create view campaigns as from read_parquet(getvariable('marts') || '/campaigns.parquet', hive_partitioning = false);
create view media_spend as from read_parquet(getvariable('marts') || '/media_spend.parquet', hive_partitioning = false);
create view products as from read_parquet(getvariable('marts') || '/products.parquet', hive_partitioning = false);
create view product_names as from read_parquet(getvariable('marts') || '/product_names.parquet', hive_partitioning = false);
create view sales as from read_parquet(getvariable('marts') || '/sales*.parquet', hive_partitioning = false);
create view product_sales as from read_parquet(getvariable('marts') || '/product_sales*.parquet', hive_partitioning = false);
create view categories as from read_parquet(getvariable('marts') || '/categories.parquet', hive_partitioning = false);
create view site_events as from read_parquet(getvariable('marts') || '/site_events.parquet', hive_partitioning = false);

-- ---------------------------------------------------------------------------------------------------- rounding [D8]

-- At the very end only, half away from zero. Each macro has a tolerance that is larger than what its argument lacks if it is
-- exactly a half, and smaller than the distance of anything else from a half. It names its argument once: an argument is an
-- expression, which is planned as often as it is named.

-- A sum of amounts is DECIMAL. Shares of lines in it are truncated to 18 decimals: those that are lacking are made up first.
create macro rounded_sum(amount) as round(round(amount, 10), 2);
create macro money(amount) as rounded_sum(amount)::double;
create macro whole(number) as round(number, 0)::bigint;

-- A quotient is DOUBLE. The sum with 0 takes the sign off a zero.
create macro rounded(quotient, digits) as round(quotient * 1.000000000000001::double, digits) + 0;
create macro average(quotient) as rounded(quotient, 2);
create macro ratio(quotient) as rounded(quotient, 4);
-- A change, or the rest of 100 %, is a difference of quotients: its error does not shrink with it, and is below 12 decimals.
create macro percentage(percent) as rounded(round(percent, 12), 2);
create macro months(number_of_months) as rounded(number_of_months, 2);

-- ---------------------------------------------------------------------------------------------------------- formulas

-- a per b; null when there is no b. Where a rule wants 0 instead, the call says `or_zero`.
create macro per(a, b) as a::double / nullif(b, 0)::double;
create macro or_zero(figure) as coalesce(figure, 0);

-- Acquisition cost: media spend per new customer.
create macro cac(investment, new_customers) as per(investment, new_customers);

-- Lifetime value: margin of the revenue to date, per customer [D25].
create macro ltv(revenue_to_date, margin_rate, customers) as per(revenue_to_date * margin_rate, customers);

-- Return on what was spent.
create macro roi(contribution, investment) as per(contribution - investment, investment);

-- Contribution by real cost where it is known, by the configured margin elsewhere [D17].
create macro blended_contribution(revenue_with_cost, cost, revenue_without_cost, margin_rate) as
    revenue_with_cost - cost + revenue_without_cost * margin_rate;

-- Where a period's margin comes from [D17].
create macro margin_basis(revenue, revenue_with_cost, margin_is_configured) as
    case
        when revenue = 0 then 'no_basis'
        when revenue_with_cost = revenue then 'cmv_real'
        when revenue_with_cost <> 0 then 'mixed'
        when margin_is_configured then 'configured_percent'
        else 'no_basis'
    end;

-- Percentage change; null where there is nothing to compare with.
create macro change(current_figure, previous_figure) as
    100 * (current_figure - previous_figure)::double / nullif(previous_figure, 0)::double;

create macro instant_text(instant) as strftime(instant, '%Y-%m-%dT%H:%M:%S.%gZ');

-- The members of the variable `p`, by type; a null in a shell has none of its own.
create macro period_start() as getvariable('p').start_date::date;
create macro period_end() as getvariable('p').end_date::date;

create macro channel_label(channel) as
    case channel
        when 'searchads' then 'Busca paga'
        when 'socialads' then 'Social pago'
        when 'organic_search' then 'Busca orgânica'
        when 'organic_social' then 'Social orgânico'
        when 'email' then 'E-mail'
        when 'affiliate' then 'Afiliados'
        when 'referral' then 'Referência'
        when 'direct' then 'Direto'
        else 'Outros'
    end;

-- The days an answer is about: the period; without one, whole months from the first to the last that has a counted
-- order or spend [D29].
create macro covered_days() as table
    select
        coalesce(
            period_start(),
            date_trunc(
                'month',
                least((select min(ordered_on) from order_days), (select min(spent_on) from media_spend where spend <> 0))
            )::date
        ) as first_on,
        coalesce(
            period_end(),
            last_day(greatest((select max(ordered_on) from order_days), (select max(spent_on) from media_spend where spend <> 0)))
        ) as last_on;

-- Those days in steps of a day or a month, the first and last month cut to them.
-- Grain: one row per step. `point_on` is the first of the month, or the day.
create macro covered_steps(step) as table
    select
        point.point_on::date as point_on,
        greatest(point.point_on::date, covered.first_on) as first_on,
        least(case when step = 'month' then last_day(point.point_on::date) else point.point_on::date end, covered.last_on) as last_on
    from covered_days() as covered
    cross join lateral (
        select unnest(generate_series(
            date_trunc(step, covered.first_on)::timestamp,
            covered.last_on::timestamp,
            case when step = 'month' then interval 1 month else interval 1 day end
        )) as point_on
    ) as point;

-- Points of a series are days up to 92 of them, else months; without a period months [D28].
create macro granularity() as
    case when (period_end() - period_start() + 1) <= 92 then 'day' else 'month' end;

-- Whether a cohort is broken down by what the first purchase held: its customers then enter several rows.
create macro is_by_purchase() as coalesce(getvariable('p').break_by, '') in ('produto', 'categoria');

-- Whether the days of cohort_days add up to the cohorts asked for: who bought in two months of a quarter counts once.
create macro is_of_days() as getvariable('p').group_by = 'month' and not is_by_purchase();

-- The value of the dimension that cohorts are broken down by.
create macro break_of(channel, campaign_key, coupon) as
    case getvariable('p').break_by
        when 'origem' then channel
        when 'campanha' then campaign_key
        when 'cupom' then coupon
    end;

-- What distinguishes values with one key: one campaign id of two connectors is two campaigns [D13].
create macro break_source_of(campaign_connector) as
    case when getvariable('p').break_by = 'campanha' then campaign_connector end;

-- Whether a first order lies in the period.
create macro is_won_in_period(first_on) as
    first_on between coalesce(period_start(), '-infinity'::date) and coalesce(period_end(), 'infinity'::date);

-- How many months a cohort's steps have [D30].
create macro step_months() as case getvariable('p').group_by when 'year' then 12 when 'quarter' then 3 else 1 end;

-- ----------------------------------------------------------------------------------------------------------- figures

-- Months until the contribution of the customers won in a month covers that month's spend [D26].
-- Grain: one row per window and value of the dimension in which a month has paid back; months without spend, or that
-- have not paid back yet, are left out. A campaign is its connector (`break_source`) and key [D13].
-- `windows`: a list of {window_no, first_on, last_on}. `dimension`: whose customers and spend are set against each
-- other: those of a 'strategy', a 'channel', a 'campaign'; null for all together.
create macro paybacks(windows, dimension) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    month_spend as (
        select
            periods.window_no,
            case when dimension = 'campaign' then media_spend.connector end as break_source,
            case dimension
                when 'strategy' then media_spend.strategy
                when 'channel' then media_spend.connector
                when 'campaign' then media_spend.campaign_key
            end as break_key,
            date_trunc('month', media_spend.spent_on)::date as first_month,
            sum(media_spend.spend) as spend
        from media_spend
        join periods on media_spend.spent_on between periods.first_on and periods.last_on
        group by all
    ),
    month_customers as (
        select
            periods.window_no,
            case when dimension = 'campaign' then customer_days.campaign_connector end as break_source,
            case dimension
                when 'strategy' then customer_days.strategy
                when 'channel' then customer_days.channel
                when 'campaign' then customer_days.campaign_key
            end as break_key,
            customer_days.first_month,
            sum(customer_days.customers) as customers
        from customer_days
        join periods on customer_days.first_on between periods.first_on and periods.last_on
        group by all
    ),
    month_revenue as (
        select
            periods.window_no,
            case when dimension = 'campaign' then cohort_days.campaign_connector end as break_source,
            case dimension
                when 'strategy' then cohort_days.strategy
                when 'channel' then cohort_days.channel
                when 'campaign' then cohort_days.campaign_key
            end as break_key,
            cohort_days.first_month,
            cohort_days.month_no,
            sum(cohort_days.revenue) as revenue
        from cohort_days
        join periods on cohort_days.first_on between periods.first_on and periods.last_on
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
        per(sum(paid_back.months * month_customers.customers), sum(month_customers.customers)) as months
    from paid_back
    join month_customers
        on month_customers.window_no = paid_back.window_no
        and month_customers.break_source is not distinct from paid_back.break_source
        and month_customers.break_key is not distinct from paid_back.break_key
        and month_customers.first_month = paid_back.first_month
    group by paid_back.window_no, paid_back.break_source, paid_back.break_key;

-- The period asked for and the one of the same length right before it; without a period the whole history, and no other.
create macro period_windows() as [
    {
        window_no: 1,
        first_on: coalesce(period_start(), '-infinity'::date),
        last_on: coalesce(period_end(), 'infinity'::date)
    },
    {
        window_no: 2,
        first_on: period_start() - (period_end() - period_start() + 1)::int,
        last_on: period_start() - 1
    }
];

-- The windows' CTEs below are not materialized: figures that a query does not ask for are then not computed either.

-- The indicators that add up over days, of any number of periods, not yet rounded.
-- Grain: one row per window. `windows`: a list of {window_no, first_on, last_on}; infinite where there is no bound.
-- Follows [D4], [D10], [D17], [D24] (division by zero), [D25], [D26], [D27].
create macro day_figures(windows) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    order_totals as (
        select
            periods.window_no,
            sum(order_days.revenue) as revenue,
            sum(order_days.orders)::bigint as orders,
            sum(order_days.recurring_orders)::bigint as recurring_orders,
            sum(order_days.cost) as cogs,
            sum(order_days.revenue_with_cost) as revenue_with_cost,
            sum(order_days.revenue) filter (where order_days.strategy = 'monetization') as monetization_revenue,
            (sum(order_days.recurring_orders) filter (where order_days.strategy = 'monetization'))::bigint
                as monetization_recurring_orders
        from order_days
        join periods on order_days.ordered_on between periods.first_on and periods.last_on
        group by periods.window_no
    ),
    customer_totals as (
        select
            periods.window_no,
            sum(customer_days.customers)::bigint as new_customers,
            sum(customer_days.revenue) as revenue_to_date,
            sum(customer_days.retention_revenue) as retention_revenue,
            (sum(customer_days.customers) filter (where customer_days.strategy = 'acquisition'))::bigint
                as acquisition_new_customers,
            sum(customer_days.revenue) filter (where customer_days.strategy = 'acquisition') as acquisition_revenue_to_date,
            (sum(customer_days.customers) filter (where customer_days.strategy = 'brand'))::bigint as brand_new_customers
        from customer_days
        join periods on customer_days.first_on between periods.first_on and periods.last_on
        group by periods.window_no
    ),
    spend_totals as (
        select
            periods.window_no,
            sum(media_spend.spend) as investment,
            sum(media_spend.spend) filter (where media_spend.strategy = 'acquisition') as acquisition_investment,
            sum(media_spend.spend) filter (where media_spend.strategy = 'brand') as brand_investment,
            sum(media_spend.impressions) filter (where media_spend.strategy = 'brand') as brand_impressions,
            sum(media_spend.spend) filter (where media_spend.strategy = 'monetization') as monetization_investment,
            sum(media_spend.spend) filter (where media_spend.strategy is null) as unclassified_investment
        from media_spend
        join periods on media_spend.spent_on between periods.first_on and periods.last_on
        group by periods.window_no
    ),
    totals as (
        select
            periods.*,
            margin.margin_rate,
            margin.is_configured,
            or_zero(order_totals.revenue) as revenue,
            or_zero(order_totals.orders) as orders,
            or_zero(order_totals.recurring_orders) as recurring_orders,
            or_zero(order_totals.cogs) as cogs,
            or_zero(order_totals.revenue_with_cost) as revenue_with_cost,
            or_zero(order_totals.monetization_revenue) * margin.margin_rate as monetization_contribution,
            order_totals.monetization_recurring_orders,
            or_zero(customer_totals.new_customers) as new_customers,
            customer_totals.revenue_to_date,
            customer_totals.retention_revenue,
            or_zero(customer_totals.acquisition_new_customers) as acquisition_new_customers,
            customer_totals.acquisition_revenue_to_date,
            or_zero(customer_totals.brand_new_customers) as brand_new_customers,
            or_zero(spend_totals.investment) as investment,
            or_zero(spend_totals.acquisition_investment) as acquisition_investment,
            or_zero(spend_totals.brand_investment) as brand_investment,
            or_zero(spend_totals.brand_impressions) as brand_impressions,
            or_zero(spend_totals.monetization_investment) as monetization_investment,
            or_zero(spend_totals.unclassified_investment) as unclassified_investment
        from periods
        cross join margin
        left join order_totals on order_totals.window_no = periods.window_no
        left join customer_totals on customer_totals.window_no = periods.window_no
        left join spend_totals on spend_totals.window_no = periods.window_no
    ),
    contributions as (
        select
            *,
            revenue * margin_rate as contribution,
            revenue_to_date * margin_rate as contribution_to_date,
            acquisition_revenue_to_date * margin_rate as acquisition_contribution_to_date
        from totals
    )
    select
        window_no,
        first_on,
        last_on,
        margin_rate,
        revenue,
        investment,
        orders,
        new_customers,
        recurring_orders,
        or_zero(per(revenue, orders)) as average_ticket,
        contribution,
        contribution - investment as contribution_profit,
        or_zero(per(investment, orders)) as cpv,
        or_zero(per(investment, recurring_orders)) as cpr,
        or_zero(cac(investment, new_customers)) as cac,
        ltv(revenue_to_date, margin_rate, new_customers) as ltv,
        ltv(retention_revenue, margin_rate, new_customers) as retention_ltv,
        -- LTV and CAC are per customer: the number of customers cancels, and one quotient rounds more exactly than two.
        or_zero(per(contribution_to_date, investment)) as ltv_cac_ratio,
        or_zero(roi(contribution, investment)) as roi,
        per(contribution_to_date - investment, new_customers) as clv,
        or_zero(cac(acquisition_investment, new_customers)) as campaign_cac,
        acquisition_investment,
        acquisition_new_customers,
        cac(acquisition_investment, acquisition_new_customers) as acquisition_cac,
        ltv(acquisition_revenue_to_date, margin_rate, acquisition_new_customers) as acquisition_ltv,
        per(acquisition_contribution_to_date, acquisition_investment) as acquisition_ltv_cac_ratio,
        brand_investment,
        brand_impressions,
        brand_new_customers,
        monetization_investment,
        monetization_contribution,
        roi(monetization_contribution, monetization_investment) as monetization_roi,
        per(monetization_investment, monetization_recurring_orders) as monetization_cpr,
        unclassified_investment,
        cogs,
        revenue_with_cost,
        revenue - revenue_with_cost as revenue_without_cost,
        margin_basis(revenue, revenue_with_cost, is_configured) as margin_basis,
        blended_contribution(revenue_with_cost, cogs, revenue - revenue_with_cost, margin_rate) as blended_contribution
    from contributions;

-- Beside these what depends on when a customer first or last bought before, and so does not add up over days.
-- Grain: one row per window. `windows`: as those of day_figures. Follows [D6], [D27].
create macro profitability_figures(windows) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    -- Of each returning customer the first order in the window.
    returning_totals as (
        select periods.window_no, count(*) as customers
        from orders
        join periods on orders.ordered_on between periods.first_on and periods.last_on and orders.previous_on < periods.first_on
        group by periods.window_no
    ),
    -- What those won in the window bought in it.
    won_totals as (
        select
            periods.window_no,
            sum(orders.revenue) filter (where orders.first_strategy = 'acquisition') as acquisition_revenue,
            sum(orders.revenue) filter (where orders.first_strategy = 'brand') as brand_revenue
        from orders
        join periods
            on orders.first_on between periods.first_on and periods.last_on
            -- Across time zones a later order may have an earlier day than the first.
            and orders.ordered_on between periods.first_on and periods.last_on
        where orders.first_strategy in ('acquisition', 'brand')
        group by periods.window_no
    ),
    monetization_totals as (
        select periods.window_no, count(distinct orders.customer_no) as recurring_customers
        from orders
        join periods on orders.ordered_on between periods.first_on and periods.last_on
        where orders.strategy = 'monetization' and orders.is_recurring
        group by periods.window_no
    ),
    totals as (
        select
            day_figures.*,
            organization.has_acquisition_classification,
            or_zero(returning_totals.customers) as recurring_customers,
            or_zero(won_totals.acquisition_revenue) * day_figures.margin_rate as acquisition_contribution,
            or_zero(won_totals.brand_revenue) * day_figures.margin_rate as brand_contribution,
            or_zero(monetization_totals.recurring_customers) as monetization_recurring_customers
        from day_figures(windows) as day_figures
        cross join organization
        left join returning_totals on returning_totals.window_no = day_figures.window_no
        left join won_totals on won_totals.window_no = day_figures.window_no
        left join monetization_totals on monetization_totals.window_no = day_figures.window_no
    )
    select
        *,
        new_customers + recurring_customers as customers,
        roi(acquisition_contribution, acquisition_investment) as acquisition_roi,
        roi(brand_contribution, brand_investment) as brand_roi
    from totals;

-- How many of those who showed interest on the site decided, in percent.
-- Grain: one row per window in which anything happened there. `windows`: as those of day_figures.
create macro conversion_rates(windows) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    stages as (
        select
            periods.window_no,
            sum(site_events.event_count) filter (where list_contains(organization.interest_events, site_events.event_name)) as interest,
            sum(site_events.event_count) filter (where list_contains(organization.decision_events, site_events.event_name)) as decision
        from site_events
        cross join organization
        join periods on site_events.happened_on between periods.first_on and periods.last_on
        group by periods.window_no
    )
    select window_no, 100 * per(or_zero(decision), interest) as conversion_rate
    from stages;

-- What each channel or campaign cost and brought in the period, not yet rounded [D32].
-- Grain: one row per channel or campaign with records, orders or new customers in the period. `dimension`: 'channel'
-- or 'campaign'; a campaign is its connector (`break_source`, null of one that never landed) and key [D13]. An order
-- belongs to its own channel and campaign, a customer to those of the first order.
create macro acquisition_figures(dimension) as table
    with
    spend_totals as (
        select
            case when dimension = 'campaign' then connector end as break_source,
            case dimension when 'channel' then connector else campaign_key end as break_key,
            sum(spend) as investment,
            sum(impressions) as impressions,
            sum(clicks) as clicks
        from media_spend
        where spent_on between period_start() and period_end()
        group by all
    ),
    order_totals as (
        select
            case when dimension = 'campaign' then campaign_connector end as break_source,
            case dimension when 'channel' then channel else campaign_key end as break_key,
            sum(orders)::bigint as orders,
            sum(revenue) as revenue
        from order_days
        where ordered_on between period_start() and period_end()
        group by all
    ),
    customer_totals as (
        select
            case when dimension = 'campaign' then campaign_connector end as break_source,
            case dimension when 'channel' then channel else campaign_key end as break_key,
            sum(customers)::bigint as new_customers,
            sum(revenue) as revenue_to_date
        from customer_days
        where first_on between period_start() and period_end()
        group by all
    ),
    new_customer_revenue as (
        select
            case when dimension = 'campaign' then first_campaign_connector end as break_source,
            case dimension when 'channel' then first_channel else first_campaign_key end as break_key,
            sum(revenue) as revenue
        from orders
        where ordered_on between period_start() and period_end() and first_on between period_start() and period_end()
        group by all
    ),
    keys as (
        select break_source, break_key from spend_totals
        union select break_source, break_key from order_totals
        union select break_source, break_key from customer_totals
    ),
    totals as (
        select
            keys.break_source,
            keys.break_key,
            margin.margin_rate,
            or_zero(spend_totals.investment) as investment,
            or_zero(spend_totals.impressions) as impressions,
            or_zero(spend_totals.clicks) as clicks,
            or_zero(order_totals.orders) as orders,
            or_zero(order_totals.revenue) as revenue,
            or_zero(customer_totals.new_customers) as new_customers,
            customer_totals.revenue_to_date,
            or_zero(new_customer_revenue.revenue) as new_customers_revenue,
            paybacks.months as payback,
            spend_totals.investment <> 0 and customer_totals.new_customers > 0 as has_cost
        from keys
        cross join margin
        left join spend_totals
            on spend_totals.break_source is not distinct from keys.break_source
            and spend_totals.break_key = keys.break_key
        left join order_totals
            on order_totals.break_source is not distinct from keys.break_source
            and order_totals.break_key = keys.break_key
        left join customer_totals
            on customer_totals.break_source is not distinct from keys.break_source
            and customer_totals.break_key = keys.break_key
        left join new_customer_revenue
            on new_customer_revenue.break_source is not distinct from keys.break_source
            and new_customer_revenue.break_key = keys.break_key
        left join paybacks([{window_no: 1, first_on: period_start(), last_on: period_end()}], dimension) as paybacks
            on paybacks.break_source is not distinct from keys.break_source
            and paybacks.break_key = keys.break_key
        where keys.break_key is not null
    )
    select
        *,
        case when has_cost then cac(investment, new_customers) end as cac,
        ltv(revenue_to_date, margin_rate, new_customers) as ltv,
        -- Per customer both: their number cancels.
        case when has_cost then per(revenue_to_date * margin_rate, investment) end as ltv_cac_ratio,
        case when has_cost then roi(new_customers_revenue * margin_rate, investment) end as roi
    from totals;

-- ---------------------------------------------------------------------------------------------------------- products

create view product_stores as from read_parquet(getvariable('marts') || '/product_stores.parquet', hive_partitioning = false);
create view product_identities as from read_parquet(getvariable('marts') || '/product_identities.parquet', hive_partitioning = false);
create view product_categories as from read_parquet(getvariable('marts') || '/product_categories.parquet', hive_partitioning = false);
create view product_entries as from read_parquet(getvariable('marts') || '/product_entries.parquet', hive_partitioning = false);
create view inventory as from read_parquet(getvariable('marts') || '/inventory.parquet', hive_partitioning = false);

create macro days(number_of_days) as rounded(number_of_days, 2);

-- Whether what landed then is older than 24 hours; what never landed is not stale but missing.
create macro is_stale(landed_at) as coalesce(landed_at < getvariable('p').now::timestamptz - interval 24 hours, false);

-- The store that the request is about; no row when the organization has no such store. `as_of_day` [D34] is the first
-- day of which not everything is known yet.
create macro asked_store() as table
    select
        integration_id,
        has_returns,
        last_landed_at as as_of,
        least(getvariable('p').today::date, timezone('UTC', last_landed_at)::date) as as_of_day
    from product_stores
    where integration_id = getvariable('p').integration_id;

create macro as_of_day() as (select as_of_day from asked_store());

-- An amount over the units that have a sale value: null when units were sold and none has one [D33].
create macro valued(amount, units, units_with_value) as case when units = 0 or units_with_value > 0 then amount end;

-- Why the cost of goods and the margin cannot be told; null when they can.
create macro margin_nd_reason(units, units_with_value, units_with_cost) as
    case
        when units_with_value < units then 'incomplete_gross_value'
        when units_with_cost < units then 'incomplete_cost'
    end;

-- Whether a figure is in a range; one that is not available is in none. The bounds are text.
create macro is_within(figure, least_figure, most_figure) as
    (least_figure is null or coalesce(figure >= least_figure::double, false))
    and (most_figure is null or coalesce(figure <= most_figure::double, false));

-- The metrics of groups of products as clients read them, rounded; the state of what stands behind them, and why one is
-- not available: sales and entry cohort of the period, stock as last read. Within a group an order or a customer counts
-- once, however many of its products they hold: figures of groups are not to be added up.
-- Grain: one row per group. `members`: a list of {group_id, product_id}; a product may be in several groups.
-- `is_overlapping`: whether a group may have several products, which one order may hold together.
-- Parameters: integration_id, date_from, date_to, today, now. Follows [D8], [D33], [D34], [D35].
create macro product_figures(members, is_overlapping := true) as table
    with
    members_of_groups as materialized (select unnest(members, recursive := true)),
    store as materialized (from asked_store()),
    sales_of_groups as (
        select
            members_of_groups.group_id,
            sum(product_sales.units) as units,
            sum(product_sales.returned_units) as returned_units,
            sum(product_sales.units_with_value) as units_with_value,
            sum(product_sales.units_with_cost) as units_with_cost,
            sum(product_sales.gross_value) as gross_value,
            sum(product_sales.net_value) as net_value,
            sum(product_sales.kept_cost) as kept_cost,
            case when is_overlapping then count(distinct product_sales.order_id) else count(*) end as orders,
            count(distinct product_sales.customer_no) filter (where product_sales.is_recurring) as recurring_customers
        from product_sales
        join members_of_groups on members_of_groups.product_id = product_sales.product_id
        where product_sales.integration_id = getvariable('p').integration_id
            and product_sales.sold_on between getvariable('p').date_from::date and getvariable('p').date_to::date
        group by members_of_groups.group_id
    ),
    -- The 30 complete days before the as-of day [D34].
    recent_sales_of_groups as (
        select members_of_groups.group_id, sum(product_sales.units) as units
        from product_sales
        cross join store
        join members_of_groups on members_of_groups.product_id = product_sales.product_id
        where product_sales.integration_id = getvariable('p').integration_id
            and product_sales.sold_on between store.as_of_day - 30 and store.as_of_day - 1
        group by members_of_groups.group_id
    ),
    -- What a customer brought is the same for each product of the first purchase.
    entries_of_groups as (
        select distinct
            members_of_groups.group_id,
            product_entries.customer_no,
            product_entries.net_revenue_180,
            product_entries.net_revenue,
            product_entries.has_repurchased_180,
            product_entries.has_repurchased,
            least(greatest(store.as_of_day - product_entries.entered_on, 0), 180) as elapsed_days
        from product_entries
        cross join store
        join members_of_groups on members_of_groups.product_id = product_entries.product_id
        where product_entries.integration_id = getvariable('p').integration_id
            and product_entries.entered_on between getvariable('p').date_from::date and getvariable('p').date_to::date
    ),
    cohorts_of_groups as (
        select
            group_id,
            count(*) as customers,
            count(*) filter (where elapsed_days = 180) as mature_customers,
            sum(net_revenue_180) filter (where elapsed_days = 180) as revenue_180,
            count(*) filter (where elapsed_days = 180 and has_repurchased_180) as repurchased_180,
            sum(net_revenue) as revenue,
            count(*) filter (where has_repurchased) as repurchased,
            sum(elapsed_days) as elapsed_days
        from entries_of_groups
        group by group_id
    ),
    -- As soon as one product is monitored, so is the group: its stock is that of those.
    stocks_of_groups as (
        select
            members_of_groups.group_id,
            case
                when bool_or(inventory.state = 'monitored') then 'monitored'
                when bool_or(inventory.state = 'unlimited') then 'unlimited'
                when bool_or(inventory.state = 'unmonitored') then 'unmonitored'
                else 'unknown'
            end as state,
            sum(inventory.available)::bigint as available,
            sum(inventory.skus) as skus,
            sum(inventory.skus_read) as skus_read,
            min(inventory.read_at) as read_at
        from members_of_groups
        left join inventory
            on inventory.integration_id = getvariable('p').integration_id
            and inventory.product_id = members_of_groups.product_id
        group by members_of_groups.group_id
    ),
    totals as (
        select
            stocks_of_groups.*,
            or_zero(sold.units)::bigint as units,
            or_zero(sold.returned_units)::bigint as returned_units,
            or_zero(sold.units_with_value)::bigint as units_with_value,
            or_zero(sold.units_with_cost)::bigint as units_with_cost,
            or_zero(sold.gross_value) as gross_value,
            or_zero(sold.net_value) as net_value,
            or_zero(sold.kept_cost) as kept_cost,
            or_zero(sold.orders) as orders,
            or_zero(sold.recurring_customers) as recurring_customers,
            or_zero(recent_sales_of_groups.units) as recent_units,
            or_zero(cohorts.customers) as customers,
            or_zero(cohorts.mature_customers) as mature_customers,
            cohorts.revenue_180,
            cohorts.repurchased_180,
            cohorts.revenue,
            cohorts.repurchased,
            cohorts.elapsed_days,
            store.as_of,
            store.has_returns
        from stocks_of_groups
        cross join store
        left join sales_of_groups as sold on sold.group_id = stocks_of_groups.group_id
        left join recent_sales_of_groups on recent_sales_of_groups.group_id = stocks_of_groups.group_id
        left join cohorts_of_groups as cohorts on cohorts.group_id = stocks_of_groups.group_id
    ),
    told as (
        select
            *,
            valued(gross_value, units, units_with_value) as gross_sales,
            valued(net_value, units, units_with_value) as net_sales,
            margin_nd_reason(units, units_with_value, units_with_cost) as margin_reason,
            case
                when mature_customers > 0 then null
                when customers > 0 then 'maturing'
                else 'no_base'
            end as cohort_reason
        from totals
    ),
    margins as (
        select
            *,
            case when margin_reason is null then kept_cost end as cost_of_goods,
            case when margin_reason is null then net_value - kept_cost end as margin_total
        from told
    )
    select
        group_id,
        orders,
        units,
        returned_units,
        money(gross_sales) as "grossSales",
        money(net_sales) as "netSales",
        units as "grossUnits",
        units - returned_units as "netUnits",
        average(per(net_sales, orders)) as "averageTicket",
        money(cost_of_goods) as cogs,
        money(margin_total) as "marginTotal",
        ratio(per(margin_total, net_sales)) as "marginAverage",
        customers as "newCustomers",
        recurring_customers as "recurringCustomers",
        customers as "entryCustomers",
        mature_customers as "matureEntryCustomers",
        average(per(revenue_180, mature_customers)) as ltv180,
        ratio(per(repurchased_180, mature_customers)) as "repurchaseRate180",
        average(per(revenue, customers)) as "ltvToDate",
        ratio(per(repurchased, customers)) as "repurchaseRateToDate",
        days(per(elapsed_days, customers)) as "cohortElapsedDaysAverage",
        available as "availableStock",
        ratio(per(recent_units, 30)) as "velocity30d",
        days(per(available * 30, recent_units)) as "daysOfStock",
        case when has_returns then ratio(per(returned_units, units)) end as "returnRate",
        state as "inventoryState",
        case when read_at is null then 'missing' when is_stale(read_at) then 'stale' else 'fresh' end as "inventoryFreshness",
        instant_text(read_at) as "inventoryUpdatedAt",
        case
            when customers = 0 then 'no_base'
            when mature_customers = customers then 'mature'
            when mature_customers > 0 then 'partial'
            else 'maturing'
        end as "cohortState",
        180 as "cohortWindowDays",
        instant_text(as_of) as "asOf",
        {
            grossValue: ratio(or_zero(per(units_with_value, units))),
            cost: ratio(or_zero(per(units_with_cost, units))),
            inventory: ratio(or_zero(per(skus_read, skus))),
            matureCohort: ratio(or_zero(per(mature_customers, customers)))
        } as coverage,
        {
            averageTicket: case when net_sales is null or orders = 0 then 'no_sales_base' end,
            margin: margin_reason,
            averageMargin: case when net_sales = 0 then 'no_net_sales' else margin_reason end,
            daysOfStock: case
                when state in ('unlimited', 'unmonitored') then state
                when available is null then 'no_inventory'
                when recent_units = 0 then 'no_movement'
            end,
            ltv180: cohort_reason,
            repurchaseRate180: cohort_reason,
            returnRate: case when units = 0 then 'no_sales_base' when not has_returns then 'no_returns_coverage' end
        } as "ndReasons"
    from margins;

-- The products that the request selects: those of the catalog, and those sold in the period that it lacks [D36]. Ranges
-- are those of the figures that clients see; one that is not available is in no range.
-- Grain: one row per product. Parameters: those of product_figures; search, status, category_ids and the ranges.
create macro selected_products() as table
    with
    candidates as materialized (
        select integration_id, product_id, name, is_catalogued, is_active, category_id, image_url, updated_at
        from product_identities
        where integration_id = getvariable('p').integration_id
            and (getvariable('p').search is null or contains(lower(name), lower(getvariable('p').search)))
            and (getvariable('p').status = 'all' or is_active = (getvariable('p').status = 'active'))
            and (
                getvariable('p').category_ids is null
                or category_id in (
                    select category_id
                    from product_categories
                    where integration_id = getvariable('p').integration_id
                        and rollup_id in (select unnest(string_split(getvariable('p').category_ids, ',')))
                )
            )
    )
    select candidates.*, figures.* exclude (group_id)
    from candidates
    join product_figures((select list({group_id: product_id, product_id: product_id}) from candidates), is_overlapping := false)
        as figures on figures.group_id = candidates.product_id
    where (candidates.is_catalogued or figures.units > 0)
        and is_within(figures."netSales", getvariable('p').min_net_sales, getvariable('p').max_net_sales)
        and is_within(figures."marginTotal", getvariable('p').min_margin_total, getvariable('p').max_margin_total)
        and is_within(figures."marginAverage", getvariable('p').min_margin_average, getvariable('p').max_margin_average)
        and is_within(
            figures."availableStock", getvariable('p').min_available_stock, getvariable('p').max_available_stock
        );

-- --------------------------------------------------------------------------------------------- product detail [D40]

create view product_items as from read_parquet(getvariable('marts') || '/product_items.parquet', hive_partitioning = false);
create view site_items as from read_parquet(getvariable('marts') || '/site_items.parquet', hive_partitioning = false);

-- What was sold of the product that the request is about, in its store.
-- Grain: one row per sale.
create macro sales_of_product() as table
    select *
    from product_sales
    where integration_id = getvariable('p').integration_id and product_id = getvariable('p').product_id;

-- Those of the period.
create macro period_sales_of_product() as table
    select *
    from sales_of_product()
    where sold_on between getvariable('p').date_from::date and getvariable('p').date_to::date;

-- The customers who entered the store through it.
-- Grain: one row per customer.
create macro entries_of_product() as table
    select *
    from product_entries
    where integration_id = getvariable('p').integration_id and product_id = getvariable('p').product_id;

-- Those of the period.
create macro period_entries_of_product() as table
    select *
    from entries_of_product()
    where entered_on between getvariable('p').date_from::date and getvariable('p').date_to::date;

create macro store_as_of() as (select as_of from asked_store());

-- Bought together and bought after look at the last 12 months.
create macro year_start() as (getvariable('p').today::date - interval 12 months)::date + 1;
create macro year_end() as getvariable('p').today::date;

-- What each block says of itself, whatever it holds: what is old goes first, then what has nothing to stand on.
create macro block_state(as_of, has_base) as
    case when is_stale(as_of) then 'stale' when has_base then 'ready' else 'no_base' end;
create macro block_reason(as_of, has_base, reason_without_base) as
    case when is_stale(as_of) then 'stale_source' when not has_base then reason_without_base end;
create macro requested_window() as {'from': getvariable('p').date_from::date, 'to': getvariable('p').date_to::date};
create macro year_window() as {'from': year_start(), 'to': year_end()};
