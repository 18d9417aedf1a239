-- How many figures of steps are the same in both states, or null in both.
-- Grain: one row.
-- Tables: before_figures, after_figures (restatements/figures, of each state).
-- Follows [D84].

select count(*) as unchanged
from before_figures as before
join after_figures as after on after.window_no = before.window_no and after.figure = before.figure
where before.shown is not distinct from after.shown
