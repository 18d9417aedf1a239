-- Cost and results of each channel in a period; revenue and orders add up to the cards of the same period.
-- Grain: one row per channel with records, orders or new customers in the period.
-- Parameters: start_date, end_date (inclusive), integration_id, channel (filters; both may be missing).
-- Follows [D15], [D32], [D86].

select
    break_key as channel,
    channel_label(break_key) as label,
    money(investment) as investment,
    orders,
    money(revenue) as revenue,
    new_customers as "newCustomers",
    money(new_customers_revenue) as "newCustomersRevenue",
    average(cac) as cac,
    average(ltv) as ltv,
    ratio(ltv_cac_ratio) as "ltvCacRatio",
    ratio(roi) as roi,
    months(payback) as "paybackMonths"
from acquisition_figures('channel') as figures
order by figures.investment desc nulls last, figures.new_customers desc, figures.break_key
