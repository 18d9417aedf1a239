-- What several questions share. A part begins with `--- name: its arguments`; `{{name: a | b}}` includes it, with its first
-- argument in place of `{{1}}`. The parts in an engine's folder are those that each engine writes in its own way.

--- window: day
case when {{1}} >= $start_date then 1 else 2 end as window_no

--- in_windows: day
{{1}} between $previous_start_date and $end_date

--- order_windows: condition
window_orders as (

    select *, $start_date as window_on, first_on between $start_date and $end_date as is_new, 1 as window_no
    from orders
    where ordered_on between $start_date and $end_date and {{1}}
    union all
    select *, $previous_start_date, first_on between $previous_start_date and $previous_end_date, 2
    from orders
    where ordered_on between $previous_start_date and $previous_end_date and {{1}}

)

--- windows
customer_totals as (

    select
        {{window: first_on}},
        sum(customers) as new_customers,
        sum(revenue) as revenue_to_date,
        sum(retention_revenue) as retention_revenue,
        sum(customers) filter (where strategy = 'acquisition') as acquisition_new_customers,
        sum(revenue) filter (where strategy = 'acquisition') as acquisition_revenue_to_date,
        sum(customers) filter (where strategy = 'brand') as brand_new_customers
    from daily_acquisitions
    where {{in_windows: first_on}}
    group by window_no

),

spend_totals as (

    select
        {{window: spent_on}},
        sum(spend) as investment,
        sum(spend) filter (where strategy = 'acquisition') as acquisition_investment,
        sum(spend) filter (where strategy = 'brand') as brand_investment,
        sum(impressions) filter (where strategy = 'brand') as brand_impressions,
        sum(spend) filter (where strategy = 'monetization') as monetization_investment,
        sum(spend) filter (where coalesce(strategy, '') = '') as unclassified_investment
    from daily_spend
    where {{in_windows: spent_on}}
    group by window_no

),

windows as (

    select 1 as window_no
    union all
    select 2

)

--- paybacks: first day | condition
-- Months until the margin of the customers acquired in a month covers the spend of that month, weighted by customers.
accumulated as (

    select
        window_no,
        first_month,
        month_no,
        sum(revenue) over (partition by window_no, first_month order by month_no) as revenue
    from (
        select {{window: first_on}}, first_month, month_no, sum(revenue) as revenue
        from daily_cohorts
        where first_on between {{1}} and $end_date and {{2}}
        group by window_no, first_month, month_no
    ) as month_revenue

),

month_spend as (

    select {{window: spent_on}}, spent_month as first_month, sum(spend) as spend
    from daily_spend
    where spent_on between {{1}} and $end_date and {{2}}
    group by window_no, first_month

),

paid_back as (

    select window_no, first_month, min(month_no) as months
    from accumulated
    join month_spend using (window_no, first_month)
    where spend > 0 and revenue * (select margin_rate from organization) >= spend
    group by window_no, first_month

),

month_customers as (

    select {{window: first_on}}, first_month, sum(customers) as customers
    from daily_acquisitions
    where first_on between {{1}} and $end_date and {{2}}
    group by window_no, first_month

),

paybacks as (

    select window_no, per(sum(months * customers), sum(customers)) as payback
    from paid_back
    join month_customers using (window_no, first_month)
    group by window_no

)

--- settings
instant_text(as_of) as "asOf",
margin_percent as "marginPercent",
is_configured as "marginConfigured",
completeness as "marginCompleteness",
gateway_status as "marginItemStatus.gateway",
tax_status as "marginItemStatus.tax",
shipping_status as "marginItemStatus.shipping",
cost_of_goods_status as "marginItemStatus.costOfGoods",
has_acquisition_classification as "hasAcquisitionClassification"

--- margin_basis
case
    when revenue = 0 then 'no_basis'
    when revenue_with_cost = revenue then 'cmv_real'
    when revenue_with_cost <> 0 then 'mixed'
    when is_configured then 'configured_percent'
    else 'no_basis'
end

--- cohort_columns
step_0_customers as "initialValue",
row_totals.customers as "firstPurchaseCustomers",
repurchase_customers as "repurchaseCustomers",
amount(100 * per(repurchase_customers, row_totals.customers)) as "repurchasePct",
amount(direct_revenue) as "directRevenue",
amount(direct_revenue * margin_rate) as "directMargin",
amount(revenue) as "totalRevenue",
amount(revenue * margin_rate) as "totalMargin",
amount(revenue - direct_revenue) as "additionalRevenue",
amount((revenue - direct_revenue) * margin_rate) as "additionalMargin",
pct as "cell.pct",
absolute as "cell.absolute",
complementary as "cell.complementary",
repurchase_revenue as "cell.repurchaseRevenue"

--- block: name | has rows | reason if not
'{{1}}' as block,
block_state(block_reason({{of_store: last_landed_at}}, $now, {{2}}, '{{3}}')) as state,
block_reason({{of_store: last_landed_at}}, $now, {{2}}, '{{3}}') as reason,
instant_text({{of_store: last_landed_at}}) as "asOf"

--- period_window
'requested' as "periodApplied.basis",
$date_from as "window.from",
$date_to as "window.to"

--- in_period: day
{{1}} between $date_from and $date_to

--- in_year: day
{{1}} between $year_from and $today

--- related: name | counted
select
    {{block: {{1}} | with_product > 0 | no_period_sales}},
    'source_window' as "periodApplied.basis",
    $year_from as "window.from",
    $today as "window.to",
    product_id as "productId",
    name as "productName",
    related.together as "{{2}}",
    ratio(per(related.together, with_product)) as share,
    ratio(per(related.together * in_all, with_product * of_its_own)) as lift
from related
join products using (product_no)
where is_known
order by related.together desc, lift desc, product_id
limit 10

--- sums
sum(units) as units,
sum(returned_units) as returned_units,
sum(units_with_value) as units_with_value,
sum(units_with_cost) as units_with_cost,
sum(gross_value) as gross_value,
sum(net_value) as net_value,
sum(kept_cost) as kept_cost

--- margin_reason
case
    when units_with_value < units then 'incomplete_gross_value'
    when units_with_cost < units then 'incomplete_cost'
end

--- elapsed_days
least(greatest({{of_store: as_of_on}} - entered_on, 0), 180) as elapsed_days

--- cohort_sums
count(*) as customers,
count(*) filter (where elapsed_days = 180) as mature_customers,
sum(net_revenue_180) filter (where elapsed_days = 180) as revenue_180,
count(*) filter (where elapsed_days = 180 and has_repurchased_180) as repurchased_180,
sum(net_revenue) as revenue,
count(*) filter (where has_repurchased) as repurchased,
sum(elapsed_days) as elapsed_days

--- cohort_figures: prefix
customers as "{{1}}entryCustomers",
mature_customers as "{{1}}matureEntryCustomers",
amount(per(revenue_180, mature_customers)) as "{{1}}ltv180",
ratio(per(repurchased_180, mature_customers)) as "{{1}}repurchaseRate180",
amount(per(revenue, customers)) as "{{1}}ltvToDate",
ratio(per(repurchased, customers)) as "{{1}}repurchaseRateToDate",
amount(per(elapsed_days, customers)) as "{{1}}cohortElapsedDaysAverage"

--- metrics: key | join | condition | entries | count
-- What was sold by key in the period and in the thirty days before the present, and the customers who entered.
{{sold: {{1}} | {{2}} | {{3}} | {{5}}}},

recent as (

    select {{1}}, sum(units) as recent_units
    from product_sales
    {{2}}
    where {{3}} and sold_on between {{of_store: as_of_on}} - 30 and {{of_store: as_of_on}} - 1
    group by {{1}}

),

cohorts as (

    select {{1}}, {{cohort_sums}}
    from (
        {{4}}, net_revenue_180, net_revenue, has_repurchased_180, has_repurchased, {{elapsed_days}}
        from product_entries
        {{2}}
        where {{3}} and {{in_period: entered_on}}
    ) as entries
    group by {{1}}

)

--- metric_totals: count
coalesce(sold.units, 0) as units,
coalesce(sold.returned_units, 0) as returned_units,
coalesce(sold.units_with_value, 0) as units_with_value,
coalesce(sold.units_with_cost, 0) as units_with_cost,
case when coalesce(sold.units, 0) = 0 or sold.units_with_value > 0 then coalesce(sold.gross_value, 0) end as gross_sales,
case when coalesce(sold.units, 0) = 0 or sold.units_with_value > 0 then coalesce(sold.net_value, 0) end as net_sales,
coalesce(sold.kept_cost, 0) as kept_cost,
coalesce(sold.{{1}}, 0) as orders,
coalesce(sold.recurring_customers, 0) as recurring_customers,
coalesce(recent.recent_units, 0) as recent_units,
coalesce(cohorts.customers, 0) as customers,
coalesce(cohorts.mature_customers, 0) as mature_customers,
cohorts.revenue_180 as revenue_180,
cohorts.repurchased_180 as repurchased_180,
cohorts.revenue as revenue,
cohorts.repurchased as repurchased,
cohorts.elapsed_days as elapsed_days,
{{margin_reason}} as margin_reason

--- metric_figures: prefix
amount(gross_sales) as "{{1}}grossSales",
amount(net_sales) as "{{1}}netSales",
units as "{{1}}grossUnits",
units - returned_units as "{{1}}netUnits",
amount(per(net_sales, orders)) as "{{1}}averageTicket",
amount(case when margin_reason is null then kept_cost end) as "{{1}}cogs",
amount(case when margin_reason is null then net_sales - kept_cost end) as "{{1}}marginTotal",
ratio(case when margin_reason is null then per(net_sales - kept_cost, net_sales) end) as "{{1}}marginAverage",
customers as "{{1}}newCustomers",
recurring_customers as "{{1}}recurringCustomers",
{{cohort_figures: {{1}}}},
available as "{{1}}availableStock",
ratio(per(recent_units, 30)) as "{{1}}velocity30d",
amount(per(available * 30, recent_units)) as "{{1}}daysOfStock",
case when {{of_store: has_returns}} then ratio(per(returned_units, units)) end as "{{1}}returnRate",
stock_state as "{{1}}inventoryState",
case
    when stock_read_at is null then 'missing'
    when stock_read_at < $now - interval '24 hours' then 'stale'
    else 'fresh'
end as "{{1}}inventoryFreshness",
instant_text(stock_read_at) as "{{1}}inventoryUpdatedAt",
case
    when customers = 0 then 'no_base'
    when mature_customers = customers then 'mature'
    when mature_customers > 0 then 'partial'
    else 'maturing'
end as "{{1}}cohortState",
180 as "{{1}}cohortWindowDays",
instant_text({{of_store: last_landed_at}}) as "{{1}}asOf",
ratio(coalesce(per(units_with_value, units), 0)) as "{{1}}coverage.grossValue",
ratio(coalesce(per(units_with_cost, units), 0)) as "{{1}}coverage.cost",
ratio(coalesce(per(skus_read, skus), 0)) as "{{1}}coverage.inventory",
ratio(coalesce(per(mature_customers, customers), 0)) as "{{1}}coverage.matureCohort",
case when net_sales is null or orders = 0 then 'no_sales_base' end as "{{1}}ndReasons.averageTicket",
margin_reason as "{{1}}ndReasons.margin",
case when net_sales = 0 then 'no_net_sales' else margin_reason end as "{{1}}ndReasons.averageMargin",
case
    when stock_state in ('unlimited', 'unmonitored') then stock_state
    when available is null then 'no_inventory'
    when recent_units = 0 then 'no_movement'
end as "{{1}}ndReasons.daysOfStock",
{{cohort_reason}} as "{{1}}ndReasons.ltv180",
{{cohort_reason}} as "{{1}}ndReasons.repurchaseRate180",
case when units = 0 then 'no_sales_base' when not {{of_store: has_returns}} then 'no_returns_coverage' end as "{{1}}ndReasons.returnRate"

--- cohort_reason
case when mature_customers > 0 then null when customers > 0 then 'maturing' else 'no_base' end

--- product_columns: prefix
$integration_id as "{{1}}integrationId",
product_id as "{{1}}productId",
name as "{{1}}productName",
case when is_active then 'active' else 'inactive' end as "{{1}}status",
rollup_id as "{{1}}categoryId",
rollup_name as "{{1}}categoryName",
image_url as "{{1}}imageUrl",
instant_text(updated_at) as "{{1}}updatedAt",
{{metric_figures: {{1}}}}

--- product_rows: condition
product_rows as (

    select
        products.*,
        {{metric_totals: sales}}
    from products
    left join sold using (product_no)
    left join recent using (product_no)
    left join cohorts using (product_no)
    where products.store_no = {{of_store: store_no}} and ({{1}})

)

--- nodes
nodes as (

    select *
    from categories
    where store_no = {{of_store: store_no}} and rollup_no = category_no

)
