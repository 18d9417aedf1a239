-- Indicators of a period, of the period before it, and how they changed: a row per figure.
-- Days that can be added up are added up; the orders are read once for both periods.

with

order_totals as (

    select
        {{window: ordered_on}},
        sum(revenue) as revenue,
        sum(orders) as orders,
        sum(recurring_orders) as recurring_orders,
        sum(cost) as cogs,
        sum(revenue_with_cost) as revenue_with_cost,
        sum(revenue) filter (where strategy = 'monetization') as monetization_revenue,
        sum(recurring_orders) filter (where strategy = 'monetization') as monetization_recurring_orders
    from daily_orders
    where {{in_windows: ordered_on}}
    group by window_no

),

site_totals as (

    select {{window: happened_on}}, 100 * per(sum(decision), sum(interest)) as conversion_rate
    from daily_site_events
    where {{in_windows: happened_on}}
    group by window_no

),

{{order_windows: true}},

-- A customer's first order in the window is the one whose previous order is before the window.
returning_totals as (

    select
        window_no,
        count(*) filter (where previous_on < window_on) as recurring_customers,
        sum(revenue) filter (where first_strategy = 'acquisition' and is_new) as acquisition_revenue,
        sum(revenue) filter (where first_strategy = 'brand' and is_new) as brand_revenue,
        count(*) filter (
            where strategy = 'monetization' and is_recurring and coalesce(previous_monetized_on < window_on, true)
        ) as monetization_recurring_customers
    from window_orders
    group by window_no

),

-- All customers, those acquired before the period, and those acquired by its end.
lifetimes as (

    select
        per(sum(revenue), sum(customers)) as lifetime,
        per(sum(revenue) filter (where first_on < $start_date), sum(customers) filter (where first_on < $start_date)) as ltv_before,
        per(sum(retention_revenue) filter (where first_on < $start_date), sum(customers) filter (where first_on < $start_date))
            as retention_before,
        per(sum(revenue) filter (where first_on <= $end_date), sum(customers) filter (where first_on <= $end_date)) as ltv_by_end,
        per(sum(retention_revenue) filter (where first_on <= $end_date), sum(customers) filter (where first_on <= $end_date))
            as retention_by_end
    from daily_acquisitions

),

{{windows}},

{{paybacks: $previous_start_date | true}},

totals as (

    select
        organization.*,
        lifetimes.*,
        windows.window_no as window_no,
        coalesce(order_totals.revenue, 0) as revenue,
        coalesce(orders, 0) as orders,
        coalesce(recurring_orders, 0) as recurring_orders,
        coalesce(cogs, 0) as cogs,
        coalesce(revenue_with_cost, 0) as revenue_with_cost,
        coalesce(monetization_revenue, 0) as monetization_revenue,
        monetization_recurring_orders,
        coalesce(new_customers, 0) as new_customers,
        revenue_to_date,
        retention_revenue,
        coalesce(acquisition_new_customers, 0) as acquisition_new_customers,
        acquisition_revenue_to_date,
        coalesce(brand_new_customers, 0) as brand_new_customers,
        coalesce(investment, 0) as investment,
        coalesce(acquisition_investment, 0) as acquisition_investment,
        coalesce(brand_investment, 0) as brand_investment,
        coalesce(brand_impressions, 0) as brand_impressions,
        coalesce(monetization_investment, 0) as monetization_investment,
        coalesce(unclassified_investment, 0) as unclassified_investment,
        coalesce(recurring_customers, 0) as recurring_customers,
        coalesce(acquisition_revenue, 0) as acquisition_revenue,
        coalesce(brand_revenue, 0) as brand_revenue,
        coalesce(monetization_recurring_customers, 0) as monetization_recurring_customers,
        conversion_rate,
        payback
    from windows
    cross join organization
    cross join lifetimes
    left join order_totals using (window_no)
    left join customer_totals using (window_no)
    left join spend_totals using (window_no)
    left join site_totals using (window_no)
    left join returning_totals using (window_no)
    left join paybacks using (window_no)

),

figures as (

    select
        totals.*,
        listed.name as name,
        listed.decimals as decimals,
        listed.figure as figure,
        lead(listed.figure) over (partition by listed.name order by window_no) as previous,
        {{margin_basis}} as basis
    from totals
    {{rows_of_figures:
        ('revenue', 2, exact(revenue)),
        ('investment', 2, exact(investment)),
        ('orders', 0, exact(orders)),
        ('newCustomers', 0, exact(new_customers)),
        ('recurringCustomers', 0, exact(recurring_customers)),
        ('customers', 0, exact(new_customers + recurring_customers)),
        ('recurringOrders', 0, exact(recurring_orders)),
        ('averageTicket', 2, coalesce(per(revenue, orders), 0)),
        ('contribution', 2, exact(revenue * margin_rate)),
        ('contributionProfit', 2, exact(revenue * margin_rate - investment)),
        ('cpv', 2, coalesce(per(investment, orders), 0)),
        ('cpr', 2, coalesce(per(investment, recurring_orders), 0)),
        ('cac', 2, coalesce(per(investment, new_customers), 0)),
        ('ltv', 2, case window_no when 1 then per(revenue_to_date * margin_rate, new_customers) else ltv_before * margin_rate end),
        ('ltvLifetime', 2, exact(lifetime * margin_rate)),
        (
            'retentionLtv',
            2,
            case window_no when 1 then per(retention_revenue * margin_rate, new_customers) else retention_before * margin_rate end
        ),
        ('ltvCacRatio', 4, coalesce(per(revenue_to_date * margin_rate, investment), 0)),
        ('roi', 4, coalesce(per(revenue * margin_rate - investment, investment), 0)),
        ('clv', 2, per(revenue_to_date * margin_rate - investment, new_customers)),
        ('payback', 2, exact(payback)),
        ('conversionRate', 2, exact(conversion_rate)),
        ('campaignCac', 2, coalesce(per(acquisition_investment, new_customers), 0)),
        ('acquisitionInvestment', 2, exact(acquisition_investment)),
        ('acquisitionNewCustomers', 0, exact(acquisition_new_customers)),
        ('acquisitionCac', 2, per(acquisition_investment, acquisition_new_customers)),
        ('acquisitionContribution', 2, exact(acquisition_revenue * margin_rate)),
        ('acquisitionLtv', 2, per(acquisition_revenue_to_date * margin_rate, acquisition_new_customers)),
        (
            'acquisitionLtvCacRatio',
            4,
            case when acquisition_new_customers > 0 then per(acquisition_revenue_to_date * margin_rate, acquisition_investment) end
        ),
        ('acquisitionRoi', 4, per(acquisition_revenue * margin_rate - acquisition_investment, acquisition_investment)),
        ('brandInvestment', 2, exact(brand_investment)),
        ('brandImpressions', 0, exact(brand_impressions)),
        ('brandNewCustomers', 0, exact(brand_new_customers)),
        ('brandContribution', 2, exact(brand_revenue * margin_rate)),
        ('brandRoi', 4, per(brand_revenue * margin_rate - brand_investment, brand_investment)),
        ('monetizationInvestment', 2, exact(monetization_investment)),
        ('monetizationContribution', 2, exact(monetization_revenue * margin_rate)),
        ('monetizationRoi', 4, per(monetization_revenue * margin_rate - monetization_investment, monetization_investment)),
        ('monetizationRecurringCustomers', 0, exact(monetization_recurring_customers)),
        ('monetizationCpr', 2, per(monetization_investment, monetization_recurring_orders)),
        ('unclassifiedInvestment', 2, exact(unclassified_investment)),
        ('cogs', 2, exact(cogs)),
        ('revenueWithCmv', 2, exact(revenue_with_cost)),
        ('revenueWithoutCmv', 2, exact(revenue - revenue_with_cost)),
        ('blendedContribution', 2, exact(revenue_with_cost - cogs + (revenue - revenue_with_cost) * margin_rate))
    }}

),

pairs as (

    select *, lead(basis) over (partition by name order by window_no) as previous_basis
    from figures

)

-- The previous period shows the LTV of all customers before the period; its change compares that with the LTV by its end.
select
    $start_date as "period.startDate",
    $end_date as "period.endDate",
    $previous_start_date as "previousPeriod.period.startDate",
    $previous_end_date as "previousPeriod.period.endDate",
    {{settings}},
    has_acquisition_classification as "previousPeriod.hasAcquisitionClassification",
    basis as "marginBasis",
    previous_basis as "previousPeriod.marginBasis",
    0 as "changes.margin",
    name as figure_name,
    rounded(figure, decimals) as "*",
    rounded(previous, decimals) as "previousPeriod.*",
    change(
        case name when 'ltv' then ltv_by_end * margin_rate when 'retentionLtv' then retention_by_end * margin_rate else figure end,
        previous
    ) as "changes.*"
from pairs
where window_no = 1
