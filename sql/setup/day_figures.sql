-- The indicators that can be summed over days, for any number of periods, not yet rounded.
-- Grain: one row per window. `windows`: the name of a relation of them, as of period_windows.
-- Follows [D4], [D10], [D17], [D24] (division by zero), [D25], [D26], [D27].
create macro day_figures(windows) as table
    with
    periods as not materialized (from query_table(windows)),
    totals as (
        select
            periods.window_no,
            periods.first_on,
            periods.last_on,
            or_zero(sum(daily_totals.revenue)) as revenue,
            or_zero(sum(daily_totals.orders))::bigint as orders,
            or_zero(sum(daily_totals.recurring_orders))::bigint as recurring_orders,
            or_zero(sum(daily_totals.cost)) as cogs,
            or_zero(sum(daily_totals.revenue_with_cost)) as revenue_with_cost,
            or_zero(sum(daily_totals.monetization_revenue)) as monetization_revenue,
            sum(daily_totals.monetization_recurring_orders) as monetization_recurring_orders,
            or_zero(sum(daily_totals.new_customers))::bigint as new_customers,
            sum(daily_totals.revenue_to_date) as revenue_to_date,
            sum(daily_totals.retention_revenue) as retention_revenue,
            or_zero(sum(daily_totals.acquisition_new_customers))::bigint as acquisition_new_customers,
            sum(daily_totals.acquisition_revenue_to_date) as acquisition_revenue_to_date,
            or_zero(sum(daily_totals.brand_new_customers))::bigint as brand_new_customers,
            sum(daily_totals.investment) as investment,
            sum(daily_totals.acquisition_investment) as acquisition_investment,
            sum(daily_totals.brand_investment) as brand_investment,
            sum(daily_totals.brand_impressions) as brand_impressions,
            sum(daily_totals.monetization_investment) as monetization_investment,
            sum(daily_totals.unclassified_investment) as unclassified_investment,
            sum(daily_totals.interest_events) as interest_events,
            or_zero(sum(daily_totals.decision_events)) as decision_events
        from periods
        left join analysed_totals() as daily_totals on daily_totals.day_on between periods.first_on and periods.last_on
        group by periods.window_no, periods.first_on, periods.last_on
    ),
    -- The spend of a store may be unknown [D86].
    known as (
        select
            totals.* replace (
                case when spend.is_known then or_zero(totals.investment) end as investment,
                case when spend.is_known then or_zero(totals.acquisition_investment) end as acquisition_investment,
                case when spend.is_known then or_zero(totals.brand_investment) end as brand_investment,
                case when spend.is_known then or_zero(totals.brand_impressions) end as brand_impressions,
                case when spend.is_known then or_zero(totals.monetization_investment) end as monetization_investment,
                case when spend.is_known then or_zero(totals.unclassified_investment) end as unclassified_investment
            ),
            spend.is_known
        from totals
        cross join spend_knowledge() as spend
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
        revenue * margin_rate as contribution,
        revenue * margin_rate - investment as contribution_profit,
        case when is_known then or_zero(safe_divide(investment, orders)) end as cpv,
        case when is_known then or_zero(safe_divide(investment, recurring_orders)) end as cpr,
        zero_unless_filtered(cac(nullif(investment, 0), new_customers)) as cac,
        ltv(revenue_to_date, margin_rate, new_customers) as ltv,
        ltv(retention_revenue, margin_rate, new_customers) as retention_ltv,
        -- LTV and CAC are per customer: the number of customers cancels, and one quotient rounds more exactly than two.
        zero_unless_filtered(safe_divide(revenue_to_date * margin_rate, investment)) as ltv_cac_ratio,
        zero_unless_filtered(roi(revenue * margin_rate, investment)) as roi,
        safe_divide(
            revenue_to_date * margin_rate - if(is_filtered(), nullif(investment, 0), investment), new_customers
        ) as clv,
        case when is_known then or_zero(cac(acquisition_investment, new_customers)) end as campaign_cac,
        acquisition_investment,
        acquisition_new_customers,
        cac(acquisition_investment, acquisition_new_customers) as acquisition_cac,
        ltv(acquisition_revenue_to_date, margin_rate, acquisition_new_customers) as acquisition_ltv,
        safe_divide(acquisition_revenue_to_date * margin_rate, acquisition_investment) as acquisition_ltv_cac_ratio,
        brand_investment,
        brand_impressions,
        brand_new_customers,
        monetization_investment,
        monetization_revenue * margin_rate as monetization_contribution,
        roi(monetization_revenue * margin_rate, monetization_investment) as monetization_roi,
        safe_divide(monetization_investment, monetization_recurring_orders) as monetization_cpr,
        unclassified_investment,
        -- Decision events per interest event on the site, in percent.
        100 * safe_divide(decision_events, interest_events) as conversion_rate,
        cogs,
        revenue_with_cost,
        revenue - revenue_with_cost as revenue_without_cost,
        margin_basis(revenue, revenue_with_cost, is_configured) as margin_basis,
        blended_contribution(revenue_with_cost, cogs, revenue - revenue_with_cost, margin_rate) as blended_contribution
    from known
    cross join margin;
