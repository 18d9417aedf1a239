-- The lines of each order of every store: units sold and returned, their sale value and cost. Units that the store's
-- order change or a refund line `cancel` removed are neither sold nor returned, and gift-card lines are not sales
-- [D18]. Returns never exceed the units sold [D33]. A gift-card line has no product and no units; `gift_card_value` is what
-- it was sold for, `ordered_gift_card_value` that including units that were removed.
-- Grain: one row per line of an order. It has the date of the order. `store_code` is the store's own code of the SKU. `brand` is
-- storea's brand, storeb's vendor, as spelled. `value` is
-- the value of `quantity` units as ordered (null: no sale value); the value of a unit is `value / quantity`. `unit_cost` is that
-- of `product_costs`, which `is_recorded` says, else `reported_cost`, the store's; null when neither is known. All are null for a line
-- with an implausible amount, such as one with a bar code as its quantity.
-- `is_counted` and the UTM parameters are those of the order; `is_first_of_product` marks one line, of which units were sold, of
-- each product in an order: these lines count the orders of a product.
-- Key: integration_id, order_id, line_no
-- Kept for: analyses
-- Partition: days of ordered_on
-- Order: ordered_on
-- Per: order version

with

storea_lines as (

    select
        storea_orders.integration_id,
        storea_orders.order_id,
        store_orders.ordered_on,
        unnest(items, recursive := false) as item,
        removals,
        coalesce(len(removals), 0) > 0 as is_changed
    from staging.storea_orders
    join store_orders
        on store_orders.integration_id = storea_orders.integration_id and store_orders.order_id = storea_orders.order_id

),

-- Removals name a SKU: they reduce its last line first. Only the few orders with changes need this.
storea_changed as (

    select
        integration_id,
        order_id,
        item.item_no as line_no,
        item.quantity,
        sum(item.quantity) over (
            partition by integration_id, order_id, item.id order by item.item_no desc
            rows between unbounded preceding and 1 preceding
        ) as later_units,
        coalesce(list_sum(list_transform(
            list_filter(removals, lambda r: r.sku_id = item.id), lambda r: r.quantity
        )), 0) as removed_of_sku
    from storea_lines
    where is_changed

),

storea_removals as (

    select
        integration_id,
        order_id,
        line_no,
        true as is_changed,
        greatest(0, least(quantity, removed_of_sku - coalesce(later_units, 0))) as removed_units
    from storea_changed

),

storea_units as (

    select
        storea_lines.integration_id,
        storea_lines.order_id,
        storea_lines.ordered_on,
        item.item_no as line_no,
        item.unique_id as line_id,
        item.id as sku_id,
        item.store_code,
        item.product_id,
        item.name,
        item.image_url,
        item.category_id,
        item.brand_name as brand,
        item.quantity,
        try_cast(coalesce(item.line_total, item.selling_price::decimal(38, 6) * item.quantity) as decimal(18, 6)) as "value",
        item.cost_price as unit_cost,
        coalesce(storea_removals.removed_units, 0) as removed_units
    from storea_lines
    left join storea_removals
        -- Also an equality: with any other condition the engine would compare every line with every change.
        on storea_removals.is_changed = storea_lines.is_changed
        and storea_removals.integration_id = storea_lines.integration_id
        and storea_removals.order_id = storea_lines.order_id
        and storea_removals.line_no = item.item_no

),

storeb_lines as (

    select
        storeb_orders.integration_id,
        storeb_orders.order_id,
        store_orders.ordered_on,
        store_orders.sold_at,
        taxes_included,
        storeb_orders.currency,
        unnest(items, recursive := false) as item,
        generate_subscripts(items, 1) - 1 as line_no
    from staging.storeb_orders
    join store_orders
        on store_orders.integration_id = storeb_orders.integration_id and store_orders.order_id = storeb_orders.order_id

),

storeb_units as (

    select *, coalesce(item.is_gift_card, false) as is_gift_card
    from storeb_lines

),

lines as (

    select
        integration_id,
        order_id,
        ordered_on,
        null::timestamptz as sold_at,
        line_no,
        line_id,
        sku_id,
        store_code,
        product_id,
        name,
        image_url,
        category_id,
        brand,
        quantity,
        "value",
        unit_cost,
        null::varchar as currency,
        removed_units,
        null::bigint as units_less,
        false as is_gift_card
    from storea_units

    union all

    select
        integration_id,
        order_id,
        ordered_on,
        sold_at,
        line_no,
        item.line_id,
        case when not is_gift_card then item.variant_id end,
        case when not is_gift_card then item.sku end,
        case when not is_gift_card then item.product_id end,
        item.name,
        null,
        null,
        item.vendor,
        item.quantity,
        try_cast(
            item.price::decimal(38, 6) * item.quantity - coalesce(item.discount, 0)
                - case when taxes_included then coalesce(item.tax, 0) else 0 end as decimal(18, 6)
        ),
        null,
        currency,
        0,
        item.quantity - item.current_quantity,
        is_gift_card
    from storeb_units

),

came_back as (

    select
        integration_id,
        order_id,
        line_no,
        sum(units) filter (where is_removal) as removed_units,
        sum(units) filter (where not is_removal) as returned_units
    from line_returns
    group by integration_id, order_id, line_no

),

-- Units that are no longer there and did not come back were removed.
counted_lines as (

    select
        lines.* exclude (removed_units, units_less),
        greatest(
            lines.removed_units, came_back.removed_units, units_less - coalesce(came_back.returned_units, 0), 0
        ) as removed_units,
        coalesce(came_back.returned_units, 0) as returned_units
    from lines
    left join came_back
        on came_back.integration_id = lines.integration_id
        and came_back.order_id = lines.order_id
        and came_back.line_no = lines.line_no
    where lines.quantity > 0

),

sold_lines as (

    select
        * exclude (removed_units, returned_units),
        -- Sums are HUGEINT, which Parquet stores as DOUBLE.
        case when is_gift_card then 0 else quantity - least(quantity, removed_units) end::bigint as sold_units,
        case when is_gift_card then 0 else least(quantity - least(quantity, removed_units), returned_units) end::bigint
            as returned_units,
        case when is_gift_card then quantity - least(quantity, removed_units) end::bigint as gift_cards
    from counted_lines

),

-- A variant's newest reading that landed before the sale, otherwise its earliest [D33].
readings_before as (

    select sold_lines.integration_id, sold_lines.order_id, sold_lines.line_no,
        arg_max({cost: cost_readings.unit_cost, currency: cost_readings.cost_currency}, cost_readings.inserted_at) as reading
    from sold_lines
    join cost_readings
        on cost_readings.integration_id = sold_lines.integration_id
        and cost_readings.variant_id = sold_lines.sku_id
        and cost_readings.inserted_at < sold_lines.sold_at
    group by all

),

earliest_readings as (

    select integration_id, variant_id,
        arg_min({cost: unit_cost, currency: cost_currency}, inserted_at) as reading
    from cost_readings
    group by all

),

-- The costs that count: of several tables' costs of one key, those of the last one in the settings.
recorded as (

    select
        store_id as integration_id,
        sku,
        bare_id(sku) as sku_id,
        bare_id(product_id) as product_id,
        coalesce(valid_from, date '0001-01-01') as valid_from,
        "cost"
    from product_costs
    where store_id is not null
    qualify row_number() over (
        partition by store_id, sku, product_id, valid_from order by finance_position desc, inserted_at desc, document_id
    ) = 1

),

-- What lines may have a cost by, once for each day.
sold_skus as (

    select distinct integration_id, sku_id, store_code, product_id, ordered_on
    from sold_lines
    where integration_id in (select integration_id from recorded)

),

sku_costs as (

    select sold_skus.*, recorded."cost", recorded.valid_from, 3 as place
    from sold_skus
    join recorded
        on recorded.integration_id = sold_skus.integration_id
        and recorded.sku_id = bare_id(sold_skus.sku_id)
        and recorded.valid_from <= sold_skus.ordered_on

    union all

    select sold_skus.*, recorded."cost", recorded.valid_from, 2
    from sold_skus
    join recorded
        on recorded.integration_id = sold_skus.integration_id
        and recorded.sku = sold_skus.store_code
        and recorded.valid_from <= sold_skus.ordered_on

    union all

    select sold_skus.*, recorded."cost", recorded.valid_from, 1
    from sold_skus
    join recorded
        on recorded.integration_id = sold_skus.integration_id
        and recorded.product_id = bare_id(sold_skus.product_id)
        and recorded.valid_from <= sold_skus.ordered_on

),

-- The newest of the SKU, by its id or by the store's code; without any the product's [D72].
recorded_costs as (

    select
        integration_id, sku_id, store_code, product_id, ordered_on,
        arg_max("cost", {is_of_sku: place > 1, valid_from: valid_from, place: place}) as unit_cost
    from sku_costs
    group by integration_id, sku_id, store_code, product_id, ordered_on

),

-- The first line of each product in an order of which units were sold.
first_lines as (

    select integration_id, order_id, product_id, min(line_no) as line_no
    from sold_lines
    where product_id is not null and sold_units > 0
    group by integration_id, order_id, product_id

),

costed_lines as (

    select
        sold_lines.*,
        first_lines.line_no is not null as is_first_of_product,
        coalesce(readings_before.reading, earliest_readings.reading) as reading
    from sold_lines
    left join first_lines
        on first_lines.integration_id = sold_lines.integration_id
        and first_lines.order_id = sold_lines.order_id
        and first_lines.product_id = sold_lines.product_id
        and first_lines.line_no = sold_lines.line_no
    left join readings_before
        on readings_before.integration_id = sold_lines.integration_id
        and readings_before.order_id = sold_lines.order_id
        and readings_before.line_no = sold_lines.line_no
    left join earliest_readings
        on earliest_readings.integration_id = sold_lines.integration_id
        and earliest_readings.variant_id = sold_lines.sku_id

)

select
    costed.integration_id,
    costed.order_id,
    costed.ordered_on,
    store_orders.is_counted,
    store_orders.utm_source,
    store_orders.utm_medium,
    store_orders.utm_campaign,
    line_no,
    line_id,
    sku_id,
    store_code,
    product_id,
    name,
    image_url,
    category_id,
    single_spaced(brand) as brand,
    quantity,
    sold_units,
    returned_units,
    sold_units - returned_units as kept_units,
    case when not is_gift_card then plausible_amount("value", 1) end as "value",
    case when not is_gift_card then plausible_amount(coalesce(recorded_cost, reported_cost), quantity) end as unit_cost,
    case when not is_gift_card then plausible_amount(reported_cost, quantity) end as reported_cost,
    recorded_cost is not null as is_recorded,
    case when is_gift_card then part_of(plausible_amount("value", 1), gift_cards, quantity) end as gift_card_value,
    case when is_gift_card then plausible_amount("value", 1) end as ordered_gift_card_value,
    is_first_of_product
from (
    select
        priced.*,
        recorded_costs.unit_cost as recorded_cost,
        -- A cost in another currency than the order's is unknown.
        coalesce(
            priced.unit_cost, case when coalesce(reading.currency, currency, '') = coalesce(currency, '') then reading.cost end
        ) as reported_cost
    from costed_lines as priced
    left join recorded_costs
        on recorded_costs.integration_id = priced.integration_id
        and recorded_costs.sku_id is not distinct from priced.sku_id
        and recorded_costs.store_code is not distinct from priced.store_code
        and recorded_costs.product_id is not distinct from priced.product_id
        and recorded_costs.ordered_on = priced.ordered_on
) as costed
join store_orders
    on store_orders.integration_id = costed.integration_id and store_orders.order_id = costed.order_id
