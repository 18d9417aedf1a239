-- The products that the request selects, with their totals: those of the catalog, and those sold in the period that it
-- lacks [D36]. Ranges apply to the figures that clients see; a figure that is not available is in no range.
-- Grain: one row per product. Parameters: those of product_totals; search, status, category_ids and the ranges.
create macro selected_products() as table
    with
    candidates as (
        select *, product_id as id
        from product_identities
        where integration_id = requested_store_id()
            and (getvariable('p').search is null or contains(lower(name), lower(getvariable('p').search)))
            and (getvariable('p').status = 'all' or is_active = (getvariable('p').status = 'active'))
            and (
                getvariable('p').category_ids is null
                or category_id in (
                    select category_id
                    from product_categories
                    where integration_id = requested_store_id()
                        and rollup_id in (select unnest(string_split(getvariable('p').category_ids, ',')))
                )
            )
    ),
    sold as (from period_sales()),
    recent as (from recent_sales()),
    entered as (from period_entries())
    select *
    from product_totals('candidates', 'sold', 'recent', 'entered')
    where (is_catalogued or units > 0)
        and is_within(
            money(value_if_known(net_value, units, units_with_value)),
            getvariable('p').min_net_sales,
            getvariable('p').max_net_sales
        )
        and is_within(
            money(margin_if_known(net_value, kept_cost, units, units_with_value, units_with_cost)),
            getvariable('p').min_margin_total,
            getvariable('p').max_margin_total
        )
        and is_within(
            margin_average(
                margin_if_known(net_value, kept_cost, units, units_with_value, units_with_cost),
                value_if_known(net_value, units, units_with_value)
            ),
            getvariable('p').min_margin_average,
            getvariable('p').max_margin_average
        )
        and is_within(available, getvariable('p').min_available_stock, getvariable('p').max_available_stock);
