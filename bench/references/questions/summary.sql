-- The cost of acquiring customers in a period, and in the period before it: a row per figure.

with

{{order_windows: first_strategy = 'acquisition'}},

order_totals as (

    select window_no, sum(revenue) as acquisition_revenue
    from window_orders
    where is_new
    group by window_no

),

{{windows}},

{{paybacks: $start_date | strategy = 'acquisition'}},

totals as (

    select
        organization.*,
        windows.window_no as window_no,
        coalesce(investment, 0) as investment,
        coalesce(acquisition_investment, 0) as acquisition_investment,
        coalesce(new_customers, 0) as new_customers,
        coalesce(acquisition_new_customers, 0) as acquisition_new_customers,
        acquisition_revenue_to_date * margin_rate as contribution_to_date,
        coalesce(acquisition_revenue, 0) * margin_rate - coalesce(acquisition_investment, 0) as profit,
        payback
    from windows
    cross join organization
    left join order_totals using (window_no)
    left join customer_totals using (window_no)
    left join spend_totals using (window_no)
    left join paybacks using (window_no)

),

figures as (

    select
        totals.*,
        listed.name as name,
        listed.decimals as decimals,
        listed.figure as figure,
        lead(listed.figure) over (partition by listed.name order by window_no) as previous
    from totals
    {{rows_of_figures:
        ('investment', 2, exact(investment)),
        ('acquisitionInvestment', 2, exact(acquisition_investment)),
        ('acquisitionNewCustomers', 0, exact(acquisition_new_customers)),
        ('newCustomers', 0, exact(new_customers)),
        ('cac', 2, per(nullif(acquisition_investment, 0), acquisition_new_customers)),
        ('acquisitionAvgLtv', 2, case when acquisition_investment <> 0 then per(contribution_to_date, acquisition_new_customers) end),
        ('acquisitionLtvCacRatio', 4, case when acquisition_new_customers > 0 then per(contribution_to_date, acquisition_investment) end),
        ('acquisitionRoi', 4, case when acquisition_new_customers > 0 then per(profit, acquisition_investment) end),
        ('paybackMonths', 2, case window_no when 1 then exact(payback) end)
    }}

)

select
    $start_date as "period.startDate",
    $end_date as "period.endDate",
    $previous_start_date as "previousPeriod.startDate",
    $previous_end_date as "previousPeriod.endDate",
    {{settings}},
    name as figure_name,
    rounded(figure, decimals) as "*.value",
    change(figure, previous) as "*.changePct"
from figures
where window_no = 1
