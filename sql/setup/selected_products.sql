-- The products that the request selects, with their totals: those of the catalog, and those sold in the period that it
-- lacks [D36]. Ranges apply to the figures that clients see; a figure that is not available is in no range.
-- Grain: one row per product. Parameters: those of product_totals; search, status, category_ids and the ranges.
create macro selected_products() as table
    with
    candidates as (
        select *, product_id as id
        from product_identities
        where integration_id = requested_store_id()
            and (searched_name() is null or contains(lower(name), lower(searched_name())))
            and (chosen_status() = 'all' or is_active = (chosen_status() = 'active'))
            and (
                chosen_categories() is null
                or category_id in (
                    select category_id
                    from product_categories
                    where integration_id = requested_store_id()
                        and rollup_id in (select unnest(string_split(chosen_categories(), ',')))
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
            least_net_sales(),
            most_net_sales()
        )
        and is_within(
            money(margin_if_known(net_value, kept_cost, units, units_with_value, units_with_cost)),
            least_margin_total(),
            most_margin_total()
        )
        and is_within(
            margin_average(
                margin_if_known(net_value, kept_cost, units, units_with_value, units_with_cost),
                value_if_known(net_value, units, units_with_value)
            ),
            least_margin_average(),
            most_margin_average()
        )
        and is_within(available, least_stock(), most_stock());
