-- The products that the request selects: those of the catalog, and those sold in the period that it lacks [D36].
-- Ranges apply to the figures that clients see; a figure that is not available is in no range.
-- Grain: one row per product. Parameters: those of product_figures; search, status, category_ids and the ranges.
create macro selected_products() as table
    with
    candidates as materialized (
        select integration_id, product_id, name, is_catalogued, is_active, category_id, image_url, updated_at
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
    )
    select candidates.*, figures.* exclude (group_id)
    from candidates
    join product_figures((select list({group_id: product_id, product_id: product_id}) from candidates), is_overlapping := false)
        as figures on figures.group_id = candidates.product_id
    where (candidates.is_catalogued or figures.units > 0)
        and is_within(figures."netSales", getvariable('p').min_net_sales, getvariable('p').max_net_sales)
        and is_within(figures."marginTotal", getvariable('p').min_margin_total, getvariable('p').max_margin_total)
        and is_within(figures."marginAverage", getvariable('p').min_margin_average, getvariable('p').max_margin_average)
        and is_within(
            figures."availableStock", getvariable('p').min_available_stock, getvariable('p').max_available_stock
        );
