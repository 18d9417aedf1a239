-- What a breakdown is by, and the period that it is compared with.
-- Grain: one row.
-- Parameters: those of profitability/breakdown.
-- Follows [D50], [D89].

select
    broken_down_by() as "by",
    case when windows.window_no is not null then {startDate: windows.first_on, endDate: windows.last_on} end as "comparedWith"
from (select 2 as compared_no) as requested
left join breakdown_windows() as windows on windows.window_no = requested.compared_no
