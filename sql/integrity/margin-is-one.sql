-- The margin is 0 to 100 percent and is applied as it is shown [D16]; item statuses exist only with items.

select *
from margin
where margin_percent not between 0 and 100
    or margin_percent <> round(margin_percent, 2)
    or margin_rate <> (margin_percent / 100)::decimal(18, 6)
    or (completeness = 'none') <> (item_status is null)
    or (not is_configured and margin_percent <> 100)
    or coalesce((completeness = 'partial') <> list_contains(map_values(item_status::json::map(varchar, varchar)), 'pending'), false)
