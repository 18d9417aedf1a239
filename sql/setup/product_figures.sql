-- The metrics of products or groups of products as clients read them: rounded, with the state of their sources and the
-- reasons for figures that are not available.
-- Grain: one row per row of `totals`, the name of a relation with the columns of product_totals, with its `id`.
-- Parameters: integration_id, today, now. Follows [D8], [D33], [D34], [D35].
create macro product_figures(totals) as table
    with
    known_totals as (
        select
            totals.*,
            store.as_of,
            store.has_returns,
            value_if_known(gross_value, units, units_with_value) as gross_sales,
            value_if_known(net_value, units, units_with_value) as net_sales,
            margin_nd_reason(units, units_with_value, units_with_cost) as margin_reason,
            cost_if_known(kept_cost, units, units_with_value, units_with_cost) as cost_of_goods,
            margin_if_known(net_value, kept_cost, units, units_with_value, units_with_cost) as margin_total,
            case
                when mature_customers > 0 then null
                when customers > 0 then 'maturing'
                else 'no_base'
            end as cohort_reason
        from query_table(totals) as totals
        cross join requested_store() as store
    )
    select
        id,
        money(gross_sales) as "grossSales",
        money(net_sales) as "netSales",
        units as "grossUnits",
        units - returned_units as "netUnits",
        average(safe_divide(net_sales, orders)) as "averageTicket",
        money(cost_of_goods) as cogs,
        money(margin_total) as "marginTotal",
        margin_average(margin_total, net_sales) as "marginAverage",
        customers as "newCustomers",
        recurring_customers as "recurringCustomers",
        customers as "entryCustomers",
        mature_customers as "matureEntryCustomers",
        average(safe_divide(revenue_180, mature_customers)) as ltv180,
        ratio(safe_divide(repurchased_180, mature_customers)) as "repurchaseRate180",
        average(safe_divide(revenue, customers)) as "ltvToDate",
        ratio(safe_divide(repurchased, customers)) as "repurchaseRateToDate",
        days(safe_divide(elapsed_days, customers)) as "cohortElapsedDaysAverage",
        available as "availableStock",
        ratio(safe_divide(recent_units, 30)) as "velocity30d",
        days(safe_divide(available * 30, recent_units)) as "daysOfStock",
        case when has_returns then ratio(safe_divide(returned_units, units)) end as "returnRate",
        stock_state as "inventoryState",
        case when read_at is null then 'missing' when is_stale(read_at) then 'stale' else 'fresh' end as "inventoryFreshness",
        instant_text(read_at) as "inventoryUpdatedAt",
        case
            when customers = 0 then 'no_base'
            when mature_customers = customers then 'mature'
            when mature_customers > 0 then 'partial'
            else 'maturing'
        end as "cohortState",
        180 as "cohortWindowDays",
        instant_text(as_of) as "asOf",
        {
            grossValue: ratio(or_zero(safe_divide(units_with_value, units))),
            cost: ratio(or_zero(safe_divide(units_with_cost, units))),
            inventory: ratio(or_zero(safe_divide(skus_read, skus))),
            matureCohort: ratio(or_zero(safe_divide(mature_customers, customers)))
        } as coverage,
        {
            averageTicket: case when net_sales is null or orders = 0 then 'no_sales_base' end,
            margin: margin_reason,
            averageMargin: case when net_sales = 0 then 'no_net_sales' else margin_reason end,
            daysOfStock: case
                when stock_state in ('unlimited', 'unmonitored') then stock_state
                when available is null then 'no_inventory'
                when recent_units = 0 then 'no_movement'
            end,
            ltv180: cohort_reason,
            repurchaseRate180: cohort_reason,
            returnRate: case when units = 0 then 'no_sales_base' when not has_returns then 'no_returns_coverage' end
        } as "ndReasons"
    from known_totals;
