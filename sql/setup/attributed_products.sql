-- The products in the orders of a channel or campaign [D66].

-- Whether a campaign passes the filters of the request. One that never landed has its key as id, and no connector.
create macro passes_campaign(connector, campaign_id, campaign_key) as
    passes('campaign_id', coalesce(campaign_id, campaign_key)) and passes('connector', connector);

-- The counted orders of the period that pass the filters.
-- Grain: one row per order.
create macro attributed_orders() as table
    select
        orders.integration_id,
        orders.order_id,
        orders.ordered_on
    from orders
    left join campaigns
        on campaigns.connector = orders.campaign_connector and campaigns.campaign_key = orders.campaign_key
    where is_in_period(orders.ordered_on)
        and passes('channel', orders.channel)
        and passes_campaign(orders.campaign_connector, campaigns.campaign_id, orders.campaign_key);

-- What these orders come to.
-- Grain: one row.
create macro attributed_revenue() as table
    select or_zero(sum(days.orders))::bigint as orders, or_zero(sum(days.revenue)) as revenue
    from daily_orders as days
    left join campaigns
        on campaigns.connector = days.campaign_connector and campaigns.campaign_key = days.campaign_key
    where is_in_period(days.ordered_on)
        and passes('channel', days.channel)
        and passes_campaign(days.campaign_connector, campaigns.campaign_id, days.campaign_key);

-- The spend of the period that passes the filters. The channel of spend has the name of its connector [D15].
-- Grain: one row.
create macro attributed_spend() as table
    select or_zero(sum(media_spend.spend)) as investment
    from media_spend
    join campaigns
        on campaigns.connector = media_spend.connector and campaigns.campaign_key = media_spend.campaign_key
    where is_in_period(media_spend.spent_on)
        and passes('channel', media_spend.connector)
        and passes_campaign(media_spend.connector, campaigns.campaign_id, media_spend.campaign_key);

-- The products in these orders, before rounding. The spend is shared out by their sale value.
-- Grain: one row per product of which a unit was sold. Values cover the units that have a sale value, costs those that
-- have a cost.
create macro attributed_products() as table
    with
    selected as (from attributed_orders()),
    products_sold as (
        select
            lines.integration_id,
            lines.product_id,
            count(distinct lines.order_id) as orders,
            sum(lines.sold_units)::bigint as units,
            sum(lines.kept_units)::bigint as kept_units,
            or_zero(sum(lines.sold_units) filter (where lines."value" is not null))::bigint as units_with_value,
            or_zero(sum(lines.sold_units) filter (where lines.unit_cost is not null))::bigint as units_with_cost,
            or_zero(sum(part_of(lines."value", lines.sold_units, lines.quantity))) as gross_value,
            or_zero(sum(part_of(lines."value", lines.kept_units, lines.quantity))) as net_value,
            or_zero(sum(lines.unit_cost * lines.kept_units)) as kept_cost
        from order_lines as lines
        join selected
            -- The day limits what is read.
            on selected.ordered_on = lines.ordered_on
            and selected.integration_id = lines.integration_id
            and selected.order_id = lines.order_id
        where lines.product_id is not null and lines.sold_units > 0
        group by lines.integration_id, lines.product_id
    )
    select
        integration_id,
        product_id,
        orders,
        units,
        kept_units,
        gross_value,
        value_if_known(gross_value, units, units_with_value) as gross_sales,
        value_if_known(net_value, units, units_with_value) as net_sales,
        cost_if_known(kept_cost, units, units_with_value, units_with_cost) as cost_of_goods,
        margin_if_known(net_value, kept_cost, units, units_with_value, units_with_cost) as margin_total,
        margin_nd_reason(units, units_with_value, units_with_cost) as nd_reason,
        case
            when gross_sales is not null
                then safe_divide(attributed_spend.investment::double * gross_value::double, sum(gross_value) over ())
        end as spend_share
    from products_sold
    cross join attributed_spend() as attributed_spend;
