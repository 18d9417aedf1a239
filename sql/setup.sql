-- What every analysis stands on: the views over an organization's derived files, and the formulas, each in one place.
-- In a DuckDB shell, from the project's folder:
--
--     set variable data_dir = 'data';
--     set variable organization_id = '…';
--     .read sql/setup.sql
--     set variable p = {'start_date': date '2025-02-01', 'end_date': date '2025-02-28'};
--     .read sql/profitability/cards.sql
--
-- The service runs the same files. It sets `marts`, the folder of the present generation, anew for each request.

set variable marts = (
    select getvariable('data_dir') || '/marts/organization_id=' || getvariable('organization_id') || '/'
        || regexp_extract(content, 'gen=\d+')
    from read_text(getvariable('data_dir') || '/marts/organization_id=' || getvariable('organization_id') || '/current')
);

-- ------------------------------------------------------------------------------------------------------------ views

create view organization as from read_parquet(getvariable('marts') || '/organization.parquet');
create view integrations as from read_parquet(getvariable('marts') || '/integrations.parquet');
create view margin as from read_parquet(getvariable('marts') || '/margin.parquet');
create view orders as from read_parquet(getvariable('marts') || '/orders.parquet');
create view order_lines as from read_parquet(getvariable('marts') || '/order_lines.parquet');
create view customers as from read_parquet(getvariable('marts') || '/customers.parquet');
create view campaigns as from read_parquet(getvariable('marts') || '/campaigns.parquet');
create view media_spend as from read_parquet(getvariable('marts') || '/media_spend.parquet');
create view products as from read_parquet(getvariable('marts') || '/products.parquet');
create view sales as from read_parquet(getvariable('marts') || '/sales.parquet');
create view product_sales as from read_parquet(getvariable('marts') || '/product_sales.parquet');
create view categories as from read_parquet(getvariable('marts') || '/categories.parquet');
create view site_events as from read_parquet(getvariable('marts') || '/site_events.parquet');

-- ---------------------------------------------------------------------------------------------------- rounding [D8]

-- At the very end only, half away from zero. Eight decimals first: a quotient's last binary digits are no figure.
create macro money(amount) as round(amount::decimal(38, 8), 2)::double;
create macro ratio(quotient) as round(quotient::decimal(38, 8), 4)::double;
create macro percentage(percent) as round(percent::decimal(38, 8), 2)::double;
create macro months(number_of_months) as round(number_of_months::decimal(38, 8), 2)::double;
create macro whole(number) as round(number::decimal(38, 8), 0)::bigint;

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
            date_trunc('month', least((select min(ordered_on) from orders), (select min(spent_on) from media_spend)))::date
        ) as first_on,
        coalesce(
            period_end(),
            last_day(greatest((select max(ordered_on) from orders), (select max(spent_on) from media_spend)))
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

-- How many months a cohort's steps have [D30].
create macro step_months() as case getvariable('p').group_by when 'year' then 12 when 'quarter' then 3 else 1 end;

-- ----------------------------------------------------------------------------------------------------------- figures

-- Months until the contribution of the customers won in a month covers that month's spend [D26].
-- Grain: one row per window and value of the dimension in which a month has paid back.
-- `windows`: a list of {window_no, first_on, last_on}. `dimension`: whose customers and spend are set against each
-- other: those of a 'strategy', a 'channel', a 'campaign'; null for all together.
create macro paybacks(windows, dimension) as table
    with
    periods as (select unnest(windows, recursive := true)),
    month_spend as (
        select
            periods.window_no,
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
            case dimension
                when 'strategy' then customers.strategy
                when 'channel' then customers.channel
                when 'campaign' then customers.campaign_key
            end as break_key,
            customers.first_month,
            count(*) as customers
        from customers
        join periods on customers.first_on between periods.first_on and periods.last_on
        group by all
    ),
    -- A customer's stores may keep different days: what was sold before the first month belongs to month 0.
    month_revenue as (
        select
            periods.window_no,
            case dimension
                when 'strategy' then orders.first_strategy
                when 'channel' then orders.first_channel
                when 'campaign' then orders.first_campaign_key
            end as break_key,
            orders.first_month,
            greatest(date_diff('month', orders.first_month, orders.ordered_month), 0) as month_no,
            sum(orders.revenue) as revenue
        from orders
        join periods on orders.first_on between periods.first_on and periods.last_on
        group by all
    ),
    accumulated as (
        select
            * exclude (revenue),
            sum(revenue) over (partition by window_no, break_key, first_month order by month_no) as revenue
        from month_revenue
    ),
    paid_back as (
        select accumulated.window_no, accumulated.break_key, accumulated.first_month, min(accumulated.month_no) as months
        from accumulated
        join month_spend
            on month_spend.window_no = accumulated.window_no
            and month_spend.break_key is not distinct from accumulated.break_key
            and month_spend.first_month = accumulated.first_month
        where month_spend.spend > 0
            and accumulated.revenue * (select margin_rate from margin) >= month_spend.spend
        group by all
    )
    select
        paid_back.window_no,
        paid_back.break_key,
        per(sum(paid_back.months * month_customers.customers), sum(month_customers.customers)) as months
    from paid_back
    join month_customers
        on month_customers.window_no = paid_back.window_no
        and month_customers.break_key is not distinct from paid_back.break_key
        and month_customers.first_month = paid_back.first_month
    group by paid_back.window_no, paid_back.break_key;

-- The profitability indicators of any number of periods, not yet rounded.
-- Grain: one row per window. `windows`: a list of {window_no, first_on, last_on}; infinite where there is no bound.
-- Follows [D4], [D6], [D10], [D17], [D25]–[D27] and the specification's rules for division by zero.
create macro profitability_figures(windows) as table
    with
    periods as (select unnest(windows, recursive := true)),
    order_totals as (
        select
            periods.window_no,
            sum(orders.revenue) as revenue,
            count(*) as orders,
            count(*) filter (where orders.is_recurring) as recurring_orders,
            count(distinct orders.customer_no) filter (where orders.first_on < periods.first_on) as recurring_customers,
            sum(orders.cost) filter (where orders.has_real_cost) as cogs,
            sum(orders.revenue) filter (where orders.has_real_cost) as revenue_with_cost,
            sum(orders.revenue) filter (
                where orders.first_on between periods.first_on and periods.last_on and orders.first_strategy = 'acquisition'
            ) as acquisition_revenue,
            sum(orders.revenue) filter (
                where orders.first_on between periods.first_on and periods.last_on and orders.first_strategy = 'brand'
            ) as brand_revenue,
            sum(orders.revenue) filter (where orders.strategy = 'monetization') as monetization_revenue,
            count(*) filter (where orders.strategy = 'monetization' and orders.is_recurring) as monetization_recurring_orders,
            count(distinct orders.customer_no) filter (
                where orders.strategy = 'monetization' and orders.is_recurring
            ) as monetization_recurring_customers
        from orders
        join periods on orders.ordered_on between periods.first_on and periods.last_on
        group by all
    ),
    customer_totals as (
        select
            periods.window_no,
            count(*) as new_customers,
            sum(customers.revenue) as revenue_to_date,
            sum(customers.retention_revenue) as retention_revenue,
            count(*) filter (where customers.strategy = 'acquisition') as acquisition_new_customers,
            sum(customers.revenue) filter (where customers.strategy = 'acquisition') as acquisition_revenue_to_date,
            count(*) filter (where customers.strategy = 'brand') as brand_new_customers
        from customers
        join periods on customers.first_on between periods.first_on and periods.last_on
        group by all
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
        group by all
    ),
    stage_totals as (
        select
            periods.window_no,
            sum(site_events.event_count) filter (where list_contains(organization.interest_events, site_events.event_name)) as interest,
            sum(site_events.event_count) filter (where list_contains(organization.decision_events, site_events.event_name)) as decision
        from site_events
        cross join organization
        join periods on site_events.happened_on between periods.first_on and periods.last_on
        group by all
    ),
    lifetimes as (
        select count(*) as customers, sum(revenue) as revenue from customers
    ),
    totals as (
        select
            periods.*,
            margin.margin_rate,
            margin.is_configured,
            organization.has_acquisition_classification,
            or_zero(order_totals.revenue) as revenue,
            or_zero(order_totals.orders) as orders,
            or_zero(order_totals.recurring_orders) as recurring_orders,
            or_zero(order_totals.recurring_customers) as recurring_customers,
            or_zero(order_totals.cogs) as cogs,
            or_zero(order_totals.revenue_with_cost) as revenue_with_cost,
            or_zero(order_totals.acquisition_revenue) * margin.margin_rate as acquisition_contribution,
            or_zero(order_totals.brand_revenue) * margin.margin_rate as brand_contribution,
            or_zero(order_totals.monetization_revenue) * margin.margin_rate as monetization_contribution,
            or_zero(order_totals.monetization_recurring_orders) as monetization_recurring_orders,
            or_zero(order_totals.monetization_recurring_customers) as monetization_recurring_customers,
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
            or_zero(spend_totals.unclassified_investment) as unclassified_investment,
            stage_totals.interest,
            or_zero(stage_totals.decision) as decision,
            paybacks.months as payback,
            lifetimes.revenue as lifetime_revenue,
            lifetimes.customers as lifetime_customers
        from periods
        cross join margin
        cross join organization
        cross join lifetimes
        left join order_totals on order_totals.window_no = periods.window_no
        left join customer_totals on customer_totals.window_no = periods.window_no
        left join spend_totals on spend_totals.window_no = periods.window_no
        left join stage_totals on stage_totals.window_no = periods.window_no
        left join paybacks(windows, null) as paybacks on paybacks.window_no = periods.window_no
    ),
    averages as (
        select
            *,
            revenue * margin_rate as contribution,
            or_zero(cac(investment, new_customers)) as cac,
            ltv(revenue_to_date, margin_rate, new_customers) as ltv,
            cac(acquisition_investment, acquisition_new_customers) as acquisition_cac,
            ltv(acquisition_revenue_to_date, margin_rate, acquisition_new_customers) as acquisition_ltv
        from totals
    )
    select
        window_no,
        first_on,
        last_on,
        revenue,
        investment,
        orders,
        new_customers,
        recurring_customers,
        new_customers + recurring_customers as customers,
        recurring_orders,
        or_zero(per(revenue, orders)) as average_ticket,
        contribution,
        contribution - investment as contribution_profit,
        or_zero(per(investment, orders)) as cpv,
        or_zero(per(investment, recurring_orders)) as cpr,
        cac,
        ltv,
        ltv(lifetime_revenue, margin_rate, lifetime_customers) as ltv_lifetime,
        ltv(retention_revenue, margin_rate, new_customers) as retention_ltv,
        or_zero(per(ltv, cac)) as ltv_cac_ratio,
        or_zero(roi(contribution, investment)) as roi,
        ltv - cac as clv,
        payback,
        100 * per(decision, interest) as conversion_rate,
        or_zero(cac(acquisition_investment, new_customers)) as campaign_cac,
        acquisition_investment,
        acquisition_new_customers,
        acquisition_cac,
        acquisition_contribution,
        acquisition_ltv,
        per(acquisition_ltv, acquisition_cac) as acquisition_ltv_cac_ratio,
        roi(acquisition_contribution, acquisition_investment) as acquisition_roi,
        brand_investment,
        brand_impressions,
        brand_new_customers,
        brand_contribution,
        roi(brand_contribution, brand_investment) as brand_roi,
        monetization_investment,
        monetization_contribution,
        roi(monetization_contribution, monetization_investment) as monetization_roi,
        monetization_recurring_customers,
        per(monetization_investment, monetization_recurring_orders) as monetization_cpr,
        unclassified_investment,
        has_acquisition_classification,
        cogs,
        revenue_with_cost,
        revenue - revenue_with_cost as revenue_without_cost,
        margin_basis(revenue, revenue_with_cost, is_configured) as margin_basis,
        blended_contribution(revenue_with_cost, cogs, revenue - revenue_with_cost, margin_rate) as blended_contribution
    from averages;

-- What each channel or campaign cost and brought in the period, not yet rounded [D32].
-- Grain: one row per channel or campaign with records, orders or new customers in the period. `dimension`: 'channel'
-- or 'campaign'. An order belongs to its own channel and campaign, a customer to those of the first order.
create macro acquisition_figures(dimension) as table
    with
    spend_totals as (
        select
            case dimension when 'channel' then connector else campaign_key end as break_key,
            sum(spend) as investment,
            sum(impressions) as impressions,
            sum(clicks) as clicks
        from media_spend
        where spent_on between period_start() and period_end()
        group by all
    ),
    order_totals as (
        select case dimension when 'channel' then channel else campaign_key end as break_key, count(*) as orders, sum(revenue) as revenue
        from orders
        where ordered_on between period_start() and period_end()
        group by all
    ),
    customer_totals as (
        select
            case dimension when 'channel' then channel else campaign_key end as break_key,
            count(*) as new_customers,
            sum(revenue) as revenue_to_date
        from customers
        where first_on between period_start() and period_end()
        group by all
    ),
    new_customer_revenue as (
        select case dimension when 'channel' then first_channel else first_campaign_key end as break_key, sum(revenue) as revenue
        from orders
        where ordered_on between period_start() and period_end() and first_on between period_start() and period_end()
        group by all
    ),
    keys as (
        select break_key from spend_totals
        union select break_key from order_totals
        union select break_key from customer_totals
    ),
    totals as (
        select
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
            or_zero(spend_totals.investment) <> 0 and or_zero(customer_totals.new_customers) > 0 as has_cost
        from keys
        cross join margin
        left join spend_totals on spend_totals.break_key = keys.break_key
        left join order_totals on order_totals.break_key = keys.break_key
        left join customer_totals on customer_totals.break_key = keys.break_key
        left join new_customer_revenue on new_customer_revenue.break_key = keys.break_key
        left join paybacks([{window_no: 1, first_on: period_start(), last_on: period_end()}], dimension) as paybacks
            on paybacks.break_key = keys.break_key
        where keys.break_key is not null
    )
    select
        *,
        case when has_cost then cac(investment, new_customers) end as cac,
        ltv(revenue_to_date, margin_rate, new_customers) as ltv,
        case
            when has_cost then per(ltv(revenue_to_date, margin_rate, new_customers), cac(investment, new_customers))
        end as ltv_cac_ratio,
        case when has_cost then roi(new_customers_revenue * margin_rate, investment) end as roi
    from totals;

-- The indicators under the names that clients read, rounded. `figures` is a row of profitability_figures.
create macro indicators(figures) as {
    revenue: money(figures.revenue),
    investment: money(figures.investment),
    orders: figures.orders,
    newCustomers: figures.new_customers,
    recurringCustomers: figures.recurring_customers,
    customers: figures.customers,
    recurringOrders: figures.recurring_orders,
    averageTicket: money(figures.average_ticket),
    contribution: money(figures.contribution),
    contributionProfit: money(figures.contribution_profit),
    cpv: money(figures.cpv),
    cpr: money(figures.cpr),
    cac: money(figures.cac),
    ltv: money(figures.ltv),
    ltvLifetime: money(figures.ltv_lifetime),
    retentionLtv: money(figures.retention_ltv),
    ltvCacRatio: ratio(figures.ltv_cac_ratio),
    roi: ratio(figures.roi),
    clv: money(figures.clv),
    payback: months(figures.payback),
    conversionRate: percentage(figures.conversion_rate),
    campaignCac: money(figures.campaign_cac),
    acquisitionInvestment: money(figures.acquisition_investment),
    acquisitionNewCustomers: figures.acquisition_new_customers,
    acquisitionCac: money(figures.acquisition_cac),
    acquisitionContribution: money(figures.acquisition_contribution),
    acquisitionLtv: money(figures.acquisition_ltv),
    acquisitionLtvCacRatio: ratio(figures.acquisition_ltv_cac_ratio),
    acquisitionRoi: ratio(figures.acquisition_roi),
    brandInvestment: money(figures.brand_investment),
    brandImpressions: whole(figures.brand_impressions),
    brandNewCustomers: figures.brand_new_customers,
    brandContribution: money(figures.brand_contribution),
    brandRoi: ratio(figures.brand_roi),
    monetizationInvestment: money(figures.monetization_investment),
    monetizationContribution: money(figures.monetization_contribution),
    monetizationRoi: ratio(figures.monetization_roi),
    monetizationRecurringCustomers: figures.monetization_recurring_customers,
    monetizationCpr: money(figures.monetization_cpr),
    unclassifiedInvestment: money(figures.unclassified_investment),
    hasAcquisitionClassification: figures.has_acquisition_classification,
    cogs: money(figures.cogs),
    revenueWithCmv: money(figures.revenue_with_cost),
    revenueWithoutCmv: money(figures.revenue_without_cost),
    marginBasis: figures.margin_basis,
    blendedContribution: money(figures.blended_contribution)
};

-- The change of every numeric indicator, from the unrounded figures; that of the margin is always 0.
create macro indicator_changes(current_figures, previous_figures) as {
    revenue: percentage(change(current_figures.revenue, previous_figures.revenue)),
    investment: percentage(change(current_figures.investment, previous_figures.investment)),
    orders: percentage(change(current_figures.orders, previous_figures.orders)),
    newCustomers: percentage(change(current_figures.new_customers, previous_figures.new_customers)),
    recurringCustomers: percentage(change(current_figures.recurring_customers, previous_figures.recurring_customers)),
    customers: percentage(change(current_figures.customers, previous_figures.customers)),
    recurringOrders: percentage(change(current_figures.recurring_orders, previous_figures.recurring_orders)),
    averageTicket: percentage(change(current_figures.average_ticket, previous_figures.average_ticket)),
    contribution: percentage(change(current_figures.contribution, previous_figures.contribution)),
    contributionProfit: percentage(change(current_figures.contribution_profit, previous_figures.contribution_profit)),
    cpv: percentage(change(current_figures.cpv, previous_figures.cpv)),
    cpr: percentage(change(current_figures.cpr, previous_figures.cpr)),
    cac: percentage(change(current_figures.cac, previous_figures.cac)),
    ltv: percentage(change(current_figures.ltv, previous_figures.ltv)),
    ltvLifetime: percentage(change(current_figures.ltv_lifetime, previous_figures.ltv_lifetime)),
    retentionLtv: percentage(change(current_figures.retention_ltv, previous_figures.retention_ltv)),
    ltvCacRatio: percentage(change(current_figures.ltv_cac_ratio, previous_figures.ltv_cac_ratio)),
    roi: percentage(change(current_figures.roi, previous_figures.roi)),
    clv: percentage(change(current_figures.clv, previous_figures.clv)),
    payback: percentage(change(current_figures.payback, previous_figures.payback)),
    conversionRate: percentage(change(current_figures.conversion_rate, previous_figures.conversion_rate)),
    campaignCac: percentage(change(current_figures.campaign_cac, previous_figures.campaign_cac)),
    acquisitionInvestment: percentage(change(current_figures.acquisition_investment, previous_figures.acquisition_investment)),
    acquisitionNewCustomers: percentage(change(current_figures.acquisition_new_customers, previous_figures.acquisition_new_customers)),
    acquisitionCac: percentage(change(current_figures.acquisition_cac, previous_figures.acquisition_cac)),
    acquisitionContribution: percentage(change(current_figures.acquisition_contribution, previous_figures.acquisition_contribution)),
    acquisitionLtv: percentage(change(current_figures.acquisition_ltv, previous_figures.acquisition_ltv)),
    acquisitionLtvCacRatio: percentage(change(current_figures.acquisition_ltv_cac_ratio, previous_figures.acquisition_ltv_cac_ratio)),
    acquisitionRoi: percentage(change(current_figures.acquisition_roi, previous_figures.acquisition_roi)),
    brandInvestment: percentage(change(current_figures.brand_investment, previous_figures.brand_investment)),
    brandImpressions: percentage(change(current_figures.brand_impressions, previous_figures.brand_impressions)),
    brandNewCustomers: percentage(change(current_figures.brand_new_customers, previous_figures.brand_new_customers)),
    brandContribution: percentage(change(current_figures.brand_contribution, previous_figures.brand_contribution)),
    brandRoi: percentage(change(current_figures.brand_roi, previous_figures.brand_roi)),
    monetizationInvestment: percentage(change(current_figures.monetization_investment, previous_figures.monetization_investment)),
    monetizationContribution: percentage(change(current_figures.monetization_contribution, previous_figures.monetization_contribution)),
    monetizationRoi: percentage(change(current_figures.monetization_roi, previous_figures.monetization_roi)),
    monetizationRecurringCustomers: percentage(
        change(current_figures.monetization_recurring_customers, previous_figures.monetization_recurring_customers)
    ),
    monetizationCpr: percentage(change(current_figures.monetization_cpr, previous_figures.monetization_cpr)),
    unclassifiedInvestment: percentage(change(current_figures.unclassified_investment, previous_figures.unclassified_investment)),
    cogs: percentage(change(current_figures.cogs, previous_figures.cogs)),
    revenueWithCmv: percentage(change(current_figures.revenue_with_cost, previous_figures.revenue_with_cost)),
    revenueWithoutCmv: percentage(change(current_figures.revenue_without_cost, previous_figures.revenue_without_cost)),
    blendedContribution: percentage(change(current_figures.blended_contribution, previous_figures.blended_contribution)),
    margin: 0.0::double
};
