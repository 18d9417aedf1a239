-- The orders that made the difference between two states of the data, under the earlier settings.
-- Grain: one row per order with a cause and a day in the period on a side where it counts.
-- Parameters: start_date, end_date (inclusive; null for all months of either state), cause (arrived, counted, uncounted, gone, moved,
--   value; null for all).
-- Variables: marts_before, marts_between, marts_after.
-- Follows [D84].

with

covered as (from compared_days(getvariable('marts_before'), getvariable('marts_after')))

select
    order_id as "orderId",
    integration_id as "integrationId",
    case when is_there then after.connector else before.connector end as connector,
    instant_text(case when is_there then after.ordered_at else before.ordered_at end) as "orderedAt",
    cause,
    case
        when was_there then {
            orderedOn: before.ordered_on,
            revenue: money(before.revenue),
            counted: counted_before,
            status: before.status
        }
    end as before,
    case
        when is_there then {
            orderedOn: after.ordered_on,
            revenue: money(after.revenue),
            counted: counted_after,
            status: after.status
        }
    end as after,
    money(change) as change,
    instant_text(after.landed_at) as "landedAt",
    after.export_name as file
from restated_orders(getvariable('marts_before'), getvariable('marts_between'), 'covered') as restated
where passes('cause', cause)
order by
    abs(rounded_sum(restated.change)) desc,
    case when is_there then after.ordered_at else before.ordered_at end,
    order_id,
    integration_id
