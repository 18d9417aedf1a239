-- Totals of groups of products, unrounded: sales and entry cohort of the period, stock as last read, and why a figure
-- is not available. Within a group an order or a customer counts once, however many of the group's products it has:
-- figures of groups must not be added up.
-- Grain: one row per group. `members`: a list of {group_id, product_id}; a product may be in several groups.
-- `is_overlapping`: whether one order may hold several products of a group.
-- Parameters: integration_id, date_from, date_to, today. Follows [D33], [D34], [D35].
create macro product_totals(members, is_overlapping := true) as table
    with
    members_of_groups as materialized (select unnest(members, recursive := true)),
    store as materialized (from requested_store()),
    sales_of_groups as (
        select
            members_of_groups.group_id,
            sum(product_sales.units) as units,
            sum(product_sales.returned_units) as returned_units,
            sum(product_sales.units_with_value) as units_with_value,
            sum(product_sales.units_with_cost) as units_with_cost,
            sum(product_sales.gross_value) as gross_value,
            sum(product_sales.net_value) as net_value,
            sum(product_sales.kept_cost) as kept_cost,
            case when is_overlapping then count(distinct product_sales.order_id) else count(*) end as orders,
            count(distinct product_sales.customer_no) filter (where product_sales.is_recurring) as recurring_customers
        from product_sales
        join members_of_groups on members_of_groups.product_id = product_sales.product_id
        where product_sales.integration_id = requested_store_id()
            and product_sales.sold_on between date_from() and date_to()
        group by members_of_groups.group_id
    ),
    -- The 30 complete days before the as-of day [D34].
    recent_sales_of_groups as (
        select members_of_groups.group_id, sum(product_sales.units) as units
        from product_sales
        cross join store
        join members_of_groups on members_of_groups.product_id = product_sales.product_id
        where product_sales.integration_id = requested_store_id()
            and product_sales.sold_on between store.as_of_day - 30 and store.as_of_day - 1
        group by members_of_groups.group_id
    ),
    -- A customer's revenue is the same for each product of the first purchase.
    entries_of_groups as (
        select distinct
            members_of_groups.group_id,
            product_entries.customer_no,
            product_entries.net_revenue_180,
            product_entries.net_revenue,
            product_entries.has_repurchased_180,
            product_entries.has_repurchased,
            least(greatest(store.as_of_day - product_entries.entered_on, 0), 180) as elapsed_days
        from product_entries
        cross join store
        join members_of_groups on members_of_groups.product_id = product_entries.product_id
        where product_entries.integration_id = requested_store_id()
            and product_entries.entered_on between date_from() and date_to()
    ),
    cohorts_of_groups as (
        select
            group_id,
            count(*) as customers,
            count(*) filter (where elapsed_days = 180) as mature_customers,
            sum(net_revenue_180) filter (where elapsed_days = 180) as revenue_180,
            count(*) filter (where elapsed_days = 180 and has_repurchased_180) as repurchased_180,
            sum(net_revenue) as revenue,
            count(*) filter (where has_repurchased) as repurchased,
            sum(elapsed_days) as elapsed_days
        from entries_of_groups
        group by group_id
    ),
    -- A group with a monitored product is monitored: its stock is that of its monitored products.
    stocks_of_groups as (
        select
            members_of_groups.group_id,
            case
                when bool_or(inventory.state = 'monitored') then 'monitored'
                when bool_or(inventory.state = 'unlimited') then 'unlimited'
                when bool_or(inventory.state = 'unmonitored') then 'unmonitored'
                else 'unknown'
            end as state,
            sum(inventory.available)::bigint as available,
            sum(inventory.skus) as skus,
            sum(inventory.skus_read) as skus_read,
            min(inventory.read_at) as read_at
        from members_of_groups
        left join inventory
            on inventory.integration_id = requested_store_id()
            and inventory.product_id = members_of_groups.product_id
        group by members_of_groups.group_id
    ),
    totals as (
        select
            stocks_of_groups.*,
            or_zero(sold.units)::bigint as units,
            or_zero(sold.returned_units)::bigint as returned_units,
            or_zero(sold.units_with_value)::bigint as units_with_value,
            or_zero(sold.units_with_cost)::bigint as units_with_cost,
            or_zero(sold.gross_value) as gross_value,
            or_zero(sold.net_value) as net_value,
            or_zero(sold.kept_cost) as kept_cost,
            or_zero(sold.orders) as orders,
            or_zero(sold.recurring_customers) as recurring_customers,
            or_zero(recent_sales_of_groups.units) as recent_units,
            or_zero(cohorts.customers) as customers,
            or_zero(cohorts.mature_customers) as mature_customers,
            cohorts.revenue_180,
            cohorts.repurchased_180,
            cohorts.revenue,
            cohorts.repurchased,
            cohorts.elapsed_days,
            store.as_of,
            store.has_returns
        from stocks_of_groups
        cross join store
        left join sales_of_groups as sold on sold.group_id = stocks_of_groups.group_id
        left join recent_sales_of_groups on recent_sales_of_groups.group_id = stocks_of_groups.group_id
        left join cohorts_of_groups as cohorts on cohorts.group_id = stocks_of_groups.group_id
    ),
    with_reasons as (
        select
            *,
            value_if_known(gross_value, units, units_with_value) as gross_sales,
            value_if_known(net_value, units, units_with_value) as net_sales,
            margin_nd_reason(units, units_with_value, units_with_cost) as margin_reason,
            case
                when mature_customers > 0 then null
                when customers > 0 then 'maturing'
                else 'no_base'
            end as cohort_reason
        from totals
    )
    select
        *,
        case when margin_reason is null then kept_cost end as cost_of_goods,
        case when margin_reason is null then net_value - kept_cost end as margin_total
    from with_reasons;
