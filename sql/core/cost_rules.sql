-- The cost rules in force: those that the settings state, but that for shipping which the margin takes from the orders only if they
-- have any [D70].
-- Grain: one row per rule, in the settings' order, with the columns of `stated_rules`.
-- Key: rule_no
-- Kept for: analyses
-- Order: rule_no

select stated_rules.*
from stated_rules
cross join margin
where not of_margin or kind <> 'charged' or coalesce(margin.item_status.shipping = 'synced', false)
