-- The declared key of each relation is unique; a key without columns is that of a relation with one row.
-- Written by `npm run documents` from the heads of sql/core/*.sql.

with

keys as (

    select 'aliased_orders' as relation, row(integration_id, email_alias)::varchar as key
    from aliased_orders

    union all

    select 'campaigns', row(connector, campaign_key)::varchar
    from campaigns

    union all

    select 'categories', row(integration_id, category_id)::varchar
    from categories

    union all

    select 'cost_rules', row(rule_no)::varchar
    from cost_rules

    union all

    select 'customer_months', row(customer_no, bought_month)::varchar
    from customer_months

    union all

    select 'customers', row(customer_no)::varchar
    from customers

    union all

    select 'daily_acquisitions', row(
        *columns(* exclude (customers,
            repurchase_customers,
            revenue,
            retention_revenue))
    )::varchar
    from daily_acquisitions

    union all

    select 'daily_acquisitions_by_store', row(
        *columns(* exclude (customers,
            repurchase_customers,
            revenue,
            retention_revenue))
    )::varchar
    from daily_acquisitions_by_store

    union all

    select 'daily_category_cohorts', row(first_on, integration_id, category_id, month_no)::varchar
    from daily_category_cohorts

    union all

    select 'daily_cohorts', row(
        *columns(* exclude (customers,
            quarter_customers,
            year_customers,
            repurchase_customers,
            revenue,
            direct_revenue,
            repeat_revenue,
            square_thousands,
            square_rest))
    )::varchar
    from daily_cohorts

    union all

    select 'daily_cohorts_by_store', row(
        *columns(* exclude (customers,
            quarter_customers,
            year_customers,
            repurchase_customers,
            revenue,
            direct_revenue,
            repeat_revenue,
            square_thousands,
            square_rest))
    )::varchar
    from daily_cohorts_by_store

    union all

    select 'daily_expenses', row(spent_on, item, integration_id)::varchar
    from daily_expenses

    union all

    select 'daily_orders', row(ordered_on, channel, campaign_key, campaign_connector, strategy)::varchar
    from daily_orders

    union all

    select 'daily_orders_by_store', row(ordered_on, integration_id, channel, campaign_key, campaign_connector, strategy)::varchar
    from daily_orders_by_store

    union all

    select 'daily_paybacks', row(segment, day_on, month_no)::varchar
    from daily_paybacks

    union all

    select 'daily_profit_amounts', row(integration_id, refunds_on, day_on, line, part_no, measure)::varchar
    from daily_profit_amounts

    union all

    select 'daily_profit_facts', row(
        *columns(* exclude (facts,
            revenue,
            gift_cards,
            refunds,
            refunds_above_zero,
            net_revenue,
            sale_value,
            tax,
            shipping,
            fee,
            units,
            recorded_units,
            recorded_cost,
            reported_units,
            reported_cost,
            uncosted_units,
            unvalued_units,
            uncosted_value,
            orders_with_tax))
    )::varchar
    from daily_profit_facts

    union all

    select 'daily_store_orders', row(integration_id, ordered_on, sold_on)::varchar
    from daily_store_orders

    union all

    select 'daily_totals', row(day_on)::varchar
    from daily_totals

    union all

    select 'expenses', row(document_id)::varchar
    from expenses

    union all

    select 'first_purchases', row(customer_no, integration_id, product_id, brand_key)::varchar
    from first_purchases

    union all

    select 'integrations', row(integration_id)::varchar
    from integrations

    union all

    select 'inventory', row(integration_id, product_id)::varchar
    from inventory

    union all

    select 'landed_records', row(integration_id, record)::varchar
    from landed_records

    union all

    select 'margin', 'one row'
    from margin

    union all

    select 'media_spend', row(connector, campaign_key, spent_on)::varchar
    from media_spend

    union all

    select 'order_lines', row(integration_id, order_id, line_no)::varchar
    from order_lines

    union all

    select 'order_payments', row(integration_id, payment_method, payment_group, is_known)::varchar
    from order_payments

    union all

    select 'order_sources', row(utm_source, utm_medium, utm_campaign)::varchar
    from order_sources

    union all

    select 'order_statuses', row(integration_id, status, exclusion_reason, currency)::varchar
    from order_statuses

    union all

    select 'orders', row(integration_id, order_id)::varchar
    from orders

    union all

    select 'organization', 'one row'
    from organization

    union all

    select 'payment_fees', row(document_id)::varchar
    from payment_fees

    union all

    select 'product_categories', row(integration_id, category_id, rollup_id)::varchar
    from product_categories

    union all

    select 'product_costs', row(document_id)::varchar
    from product_costs

    union all

    select 'product_entries', row(integration_id, product_id, customer_no)::varchar
    from product_entries

    union all

    select 'product_identities', row(integration_id, product_id)::varchar
    from product_identities

    union all

    select 'product_items', row(integration_id, product_id, item_id)::varchar
    from product_items

    union all

    select 'product_names', row(integration_id, product_id)::varchar
    from product_names

    union all

    select 'product_sales', row(integration_id, order_id, product_id)::varchar
    from product_sales

    union all

    select 'product_stores', row(integration_id)::varchar
    from product_stores

    union all

    select 'products', row(integration_id, product_id)::varchar
    from products

    union all

    select 'profit_facts', row(integration_id, order_id, is_sale, counted_on)::varchar
    from profit_facts

    union all

    select 'refunds', row(integration_id, order_id, refund_no)::varchar
    from refunds

    union all

    select 'returned_units', row(integration_id, order_id, line_no, return_no)::varchar
    from returned_units

    union all

    select 'sales', row(integration_id, order_id)::varchar
    from sales

    union all

    select 'site_events', row(happened_on, event_name)::varchar
    from site_events

    union all

    select 'site_items', row(happened_on, item_id)::varchar
    from site_items

    union all

    select 'uncounted_orders', row(integration_id, order_id)::varchar
    from uncounted_orders

    union all

    select 'unknown_units', row(integration_id, order_id, line_no, return_no)::varchar
    from unknown_units

)

select relation, key, count(*) as rows
from keys
group by all
having count(*) <> 1
