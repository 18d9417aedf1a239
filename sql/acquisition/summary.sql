-- The cost of acquiring customers in a period, compared with another period: that before it, unless `compare` chooses
-- another.
-- Grain: one row; each metric is {value, changePct}.
-- Parameters: start_date, end_date (inclusive), compare (default 'previous'), integration_id, channel (filters; both may
--   be missing).
-- Follows [D8], [D27], [D31], [D50], [D86].

with

windows as materialized (from period_windows()),

figures as (

    select
        days.window_no,
        days.investment,
        days.acquisition_investment,
        days.acquisition_new_customers,
        days.new_customers,
        -- Without spend or without customers there is no acquisition cost.
        case when days.acquisition_investment <> 0 then days.acquisition_cac end as cac,
        case when days.acquisition_investment <> 0 then days.acquisition_ltv end as avg_ltv,
        days.acquisition_ltv_cac_ratio as ltv_cac_ratio,
        case
            when days.acquisition_new_customers > 0
                then roi(or_zero(order_figures.acquisition_contribution), days.acquisition_investment)
        end as roi,
        organization.has_acquisition_classification
    from day_figures('windows') as days
    cross join organization
    left join order_figures('windows') as order_figures on order_figures.window_no = days.window_no

),

current_period as (select * from figures where window_no = 1),

previous_period as (select * from figures where window_no = 2),

acquisition_payback as (

    select months
    from total_paybacks('windows', 'acquisition')
    where window_no = 1

)

select
    {
        value: money(current_period.investment),
        changePct: percentage(change(current_period.investment, previous_period.investment))
    } as investment,
    {
        value: money(current_period.acquisition_investment),
        changePct: percentage(change(current_period.acquisition_investment, previous_period.acquisition_investment))
    } as "acquisitionInvestment",
    {
        value: current_period.acquisition_new_customers,
        changePct: percentage(change(current_period.acquisition_new_customers, previous_period.acquisition_new_customers))
    } as "acquisitionNewCustomers",
    {
        value: current_period.new_customers,
        changePct: percentage(change(current_period.new_customers, previous_period.new_customers))
    } as "newCustomers",
    {value: average(current_period.cac), changePct: percentage(change(current_period.cac, previous_period.cac))} as cac,
    {
        value: average(current_period.avg_ltv),
        changePct: percentage(change(current_period.avg_ltv, previous_period.avg_ltv))
    } as "acquisitionAvgLtv",
    {
        value: ratio(current_period.ltv_cac_ratio),
        changePct: percentage(change(current_period.ltv_cac_ratio, previous_period.ltv_cac_ratio))
    } as "acquisitionLtvCacRatio",
    {value: ratio(current_period.roi), changePct: percentage(change(current_period.roi, previous_period.roi))} as "acquisitionRoi",
    {value: months((select months from acquisition_payback)), changePct: null::double} as "paybackMonths",
    current_period.has_acquisition_classification as "hasAcquisitionClassification"
from current_period
cross join previous_period
