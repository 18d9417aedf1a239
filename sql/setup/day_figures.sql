-- The indicators that can be summed over days, for any number of periods, not yet rounded. Their CTEs of windows are not
-- materialized, so that figures that a query does not select are not computed.
-- Grain: one row per window. `windows`: a list of {window_no, first_on, last_on}; infinite where there is no bound.
-- Follows [D4], [D10], [D17], [D24] (division by zero), [D25], [D26], [D27].
create macro day_figures(windows) as table
    with
    periods as not materialized (select unnest(windows, recursive := true)),
    order_totals as (
        select
            periods.window_no,
            sum(daily_orders.revenue) as revenue,
            sum(daily_orders.orders)::bigint as orders,
            sum(daily_orders.recurring_orders)::bigint as recurring_orders,
            sum(daily_orders.cost) as cogs,
            sum(daily_orders.revenue_with_cost) as revenue_with_cost,
            sum(daily_orders.revenue) filter (where daily_orders.strategy = 'monetization') as monetization_revenue,
            (sum(daily_orders.recurring_orders) filter (where daily_orders.strategy = 'monetization'))::bigint
                as monetization_recurring_orders
        from daily_orders
        join periods on daily_orders.ordered_on between periods.first_on and periods.last_on
        group by periods.window_no
    ),
    customer_totals as (
        select
            periods.window_no,
            sum(daily_acquisitions.customers)::bigint as new_customers,
            sum(daily_acquisitions.revenue) as revenue_to_date,
            sum(daily_acquisitions.retention_revenue) as retention_revenue,
            (sum(daily_acquisitions.customers) filter (where daily_acquisitions.strategy = 'acquisition'))::bigint
                as acquisition_new_customers,
            sum(daily_acquisitions.revenue) filter (where daily_acquisitions.strategy = 'acquisition') as acquisition_revenue_to_date,
            (sum(daily_acquisitions.customers) filter (where daily_acquisitions.strategy = 'brand'))::bigint as brand_new_customers
        from daily_acquisitions
        join periods on daily_acquisitions.first_on between periods.first_on and periods.last_on
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
        or_zero(safe_divide(revenue, orders)) as average_ticket,
        contribution,
        contribution - investment as contribution_profit,
        or_zero(safe_divide(investment, orders)) as cpv,
        or_zero(safe_divide(investment, recurring_orders)) as cpr,
        or_zero(cac(investment, new_customers)) as cac,
        ltv(revenue_to_date, margin_rate, new_customers) as ltv,
        ltv(retention_revenue, margin_rate, new_customers) as retention_ltv,
        -- LTV and CAC are per customer: the number of customers cancels, and one quotient rounds more exactly than two.
        or_zero(safe_divide(contribution_to_date, investment)) as ltv_cac_ratio,
        or_zero(roi(contribution, investment)) as roi,
        safe_divide(contribution_to_date - investment, new_customers) as clv,
        or_zero(cac(acquisition_investment, new_customers)) as campaign_cac,
        acquisition_investment,
        acquisition_new_customers,
        cac(acquisition_investment, acquisition_new_customers) as acquisition_cac,
        ltv(acquisition_revenue_to_date, margin_rate, acquisition_new_customers) as acquisition_ltv,
        safe_divide(acquisition_contribution_to_date, acquisition_investment) as acquisition_ltv_cac_ratio,
        brand_investment,
        brand_impressions,
        brand_new_customers,
        monetization_investment,
        monetization_contribution,
        roi(monetization_contribution, monetization_investment) as monetization_roi,
        safe_divide(monetization_investment, monetization_recurring_orders) as monetization_cpr,
        unclassified_investment,
        cogs,
        revenue_with_cost,
        revenue - revenue_with_cost as revenue_without_cost,
        margin_basis(revenue, revenue_with_cost, is_configured) as margin_basis,
        blended_contribution(revenue_with_cost, cogs, revenue - revenue_with_cost, margin_rate) as blended_contribution
    from contributions;
