-- The products in the orders of a channel or campaign [D66].

-- Whether a campaign passes the filters of the request. One that never landed has its key as id, and no connector.
create macro passes_campaign(connector, campaign_id, campaign_key) as
    passes('campaign_id', coalesce(campaign_id, campaign_key)) and passes('connector', connector);

-- What the counted orders of the period that pass the filters come to.
-- Grain: one row.
create macro attributed_revenue() as table
    select or_zero(sum(days.orders))::bigint as orders, or_zero(sum(days.revenue)) as revenue
    from analysed_daily_orders() as days
    left join campaigns
        on campaigns.connector = days.campaign_connector and campaigns.campaign_key = days.campaign_key
    where is_in_period(days.ordered_on)
        and passes_campaign(days.campaign_connector, campaigns.campaign_id, days.campaign_key);

-- The spend of the period that passes the filters. Null where that of the store is unknown [D86].
-- Grain: one row.
create macro attributed_spend() as table
    with
    spent as (
        select or_zero(sum(media_spend.spend)) as investment
        from analysed_spend() as media_spend
        join campaigns
            on campaigns.connector = media_spend.connector and campaigns.campaign_key = media_spend.campaign_key
        where is_in_period(media_spend.spent_on)
            and passes_campaign(media_spend.connector, campaigns.campaign_id, media_spend.campaign_key)
    )
    select case when knowledge.is_known then spent.investment end as investment
    from spent
    cross join spend_knowledge() as knowledge;

-- The products in these orders, before rounding. The spend is shared out by their sale value.
-- Grain: one row per product of which a unit was sold. Values cover the units that have a sale value, costs those that
-- have a cost.
create macro attributed_products() as table
    with
    selected_sources as (
        select order_sources.utm_source, order_sources.utm_medium, order_sources.utm_campaign
        from order_sources
        left join campaigns
            on campaigns.connector = order_sources.campaign_connector
            and campaigns.campaign_key = order_sources.campaign_key
        where passes('channel', order_sources.channel)
            and passes_campaign(order_sources.campaign_connector, campaigns.campaign_id, order_sources.campaign_key)
    ),
    put_back as (
        select integration_id, order_id, line_no, sum(units) as units
        from returned_units
        where is_restocked
        group by integration_id, order_id, line_no
    ),
    uncosted_orders as (
        from profit_facts
        where is_in_period(ordered_on) and is_sale and uncosted_units <> 0
    ),
    products_sold as (
        select
            lines.integration_id,
            lines.product_id,
            count(*) filter (where lines.is_first_of_product) as orders,
            sum(lines.sold_units)::bigint as units,
            sum(lines.kept_units)::bigint as kept_units,
            or_zero(sum(lines.sold_units) filter (where lines."value" is not null))::bigint as units_with_value,
            or_zero(
                sum(lines.sold_units) filter (where lines.unit_cost is not null or has_cost_by_rules(rates, lines."value"))
            )::bigint as units_with_cost,
            or_zero(sum(part_of(lines."value", lines.sold_units, lines.quantity))) as gross_value,
            or_zero(sum(part_of(lines."value", lines.kept_units, lines.quantity))) as net_value,
            -- Units that came back but were not put back still cost.
            or_zero(sum(
                coalesce(
                    (lines.unit_cost * (lines.sold_units - coalesce(put_back.units, 0)))::decimal(38, 18),
                    case
                        when has_cost_by_rules(rates, lines."value")
                            then part_of(
                                coalesce(lines."value", 0), lines.sold_units - coalesce(put_back.units, 0), lines.quantity
                            )::decimal(38, 12) * rates.rate
                    end::decimal(38, 18)
                )
            )) as kept_cost
        from order_lines as lines
        semi join selected_sources
            on selected_sources.utm_source is not distinct from lines.utm_source
            and selected_sources.utm_medium is not distinct from lines.utm_medium
            and selected_sources.utm_campaign is not distinct from lines.utm_campaign
        left join put_back using (integration_id, order_id, line_no)
        left join goods_rates('uncosted_orders', 'cost_rules') as rates using (integration_id, order_id)
        where is_in_period(lines.ordered_on)
            and passes('integration_id', lines.integration_id)
            and lines.is_counted
            and lines.product_id is not null
            and lines.sold_units > 0
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
