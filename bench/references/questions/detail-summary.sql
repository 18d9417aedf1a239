-- A product's metrics of the period, which are its row of the listing, and the base of its return rate.

with

{{product}},

{{metrics: product_no | | {{of_product}} | select product_no, customer_no | sales}},

{{nodes}},

{{product_rows: products.product_no = {{product_no}}}}

select
    product_id as "productId",
    $integration_id as "integrationId",
    instant_text(least({{of_store: last_landed_at}}, coalesce(site_as_of, {{of_store: last_landed_at}}))) as "asOf",
    $date_from as "period.from",
    $date_to as "period.to",
    block_state(block_reason({{of_store: last_landed_at}}, $now, units > 0, 'no_period_sales')) as "summary.state",
    block_reason({{of_store: last_landed_at}}, $now, units > 0, 'no_period_sales') as "summary.reason",
    'requested' as "summary.periodApplied.basis",
    $date_from as "summary.window.from",
    $date_to as "summary.window.to",
    {{product_columns: summary.}},
    case when units = 0 then 'no_sales_base' when not {{of_store: has_returns}} then 'no_returns_coverage' else 'measured' end
        as "summary.returnMeasurement.state",
    units as "summary.returnMeasurement.soldUnits",
    returned_units as "summary.returnMeasurement.returnedUnits",
    case when {{of_store: has_returns}} then ratio(per(returned_units, units)) end as "summary.returnMeasurement.returnRate"
from product_rows
join nodes using (category_no)
cross join organization
