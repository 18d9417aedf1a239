-- The request: the members of the variable `p`, each with its type. A null that is set in a shell has no type of its own.

create macro period_start() as getvariable('p').start_date::date;
create macro period_end() as getvariable('p').end_date::date;
