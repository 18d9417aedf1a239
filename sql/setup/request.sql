-- The request: the members of the variable `p`, each with its type. A null that is set in a shell has no type of its own.

create macro period_start() as getvariable('p').start_date::date;
create macro period_end() as getvariable('p').end_date::date;

-- The period that a period is compared with [D50]: 'previous', 'year', 'weekdays' or 'none'. A `p` without it has the default.
create macro compare() as coalesce(to_json(getvariable('p')) ->> '$.compare', 'previous');

-- The period that a bridge compares with [D53]. Null for that of `compare`, and without these members.
create macro compare_start() as (to_json(getvariable('p')) ->> '$.compare_start_date')::date;
create macro compare_end() as (to_json(getvariable('p')) ->> '$.compare_end_date')::date;

-- Of the cohorts.
create macro group_by() as getvariable('p').group_by::varchar;
create macro break_by() as getvariable('p').break_by::varchar;
create macro cohort_view() as getvariable('p').view::varchar;

-- Of the products: the store, the product, the period, and the day and the instant of the request.
create macro requested_store_id() as getvariable('p').integration_id::varchar;
create macro requested_product_id() as getvariable('p').product_id::varchar;
create macro date_from() as getvariable('p').date_from::date;
create macro date_to() as getvariable('p').date_to::date;
create macro request_day() as getvariable('p').today::date;
create macro request_time() as getvariable('p').now::timestamptz;
