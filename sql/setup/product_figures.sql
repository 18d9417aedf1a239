-- The metrics of groups of products as clients read them: rounded, with the state of their sources and the reasons for
-- figures that are not available.
-- Grain: one row per group. `members`, `is_overlapping`: as those of product_totals.
-- Parameters: integration_id, date_from, date_to, today, now. Follows [D8], [D33], [D34], [D35].
create macro product_figures(members, is_overlapping := true) as table
    select
        group_id,
        orders,
        units,
        returned_units,
        money(gross_sales) as "grossSales",
        money(net_sales) as "netSales",
        units as "grossUnits",
        units - returned_units as "netUnits",
        average(safe_divide(net_sales, orders)) as "averageTicket",
        money(cost_of_goods) as cogs,
        money(margin_total) as "marginTotal",
        ratio(safe_divide(margin_total, net_sales)) as "marginAverage",
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
        state as "inventoryState",
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
                when state in ('unlimited', 'unmonitored') then state
                when available is null then 'no_inventory'
                when recent_units = 0 then 'no_movement'
            end,
            ltv180: cohort_reason,
            repurchaseRate180: cohort_reason,
            returnRate: case when units = 0 then 'no_sales_base' when not has_returns then 'no_returns_coverage' end
        } as "ndReasons"
    from product_totals(members, is_overlapping := is_overlapping);
