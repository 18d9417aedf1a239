-- The lines of an order repeat whether it counts and the parameters of its source, whose channel and campaign are the order's.
-- Each product that an order sold has one line that is its first [D66].

select distinct lines.integration_id, lines.order_id, null as product_id, 'has lines of another source or state' as problem
from order_lines as lines
left join orders on orders.integration_id = lines.integration_id and orders.order_id = lines.order_id
left join order_sources as sources
    on sources.utm_source is not distinct from lines.utm_source
    and sources.utm_medium is not distinct from lines.utm_medium
    and sources.utm_campaign is not distinct from lines.utm_campaign
where lines.is_counted <> (orders.order_id is not null)
    or (
        lines.is_counted
        and (
            orders.channel is distinct from sources.channel
            or orders.campaign_key is distinct from sources.campaign_key
            or orders.campaign_connector is distinct from sources.campaign_connector
        )
    )

union all

select integration_id, order_id, product_id, 'has no first line, or several'
from order_lines
group by integration_id, order_id, product_id
having count(*) filter (where is_first_of_product) <> (product_id is not null and max(sold_units) > 0)::int
