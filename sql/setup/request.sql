-- The request: the members of the variable `p`, each with its type. A null that is set in a shell has no type of its own.

-- A member as text; null for one that `p` lacks.
create macro optional_parameter(name) as to_json(getvariable('p')) ->> name;

-- Whether a value passes the filter of a member of `p`; one that `p` lacks filters nothing.
create macro passes(name, value) as coalesce(value = optional_parameter(name), optional_parameter(name) is null);

create macro period_start() as getvariable('p').start_date::date;
create macro period_end() as getvariable('p').end_date::date;

-- The period that a period is compared with [D50]: 'previous', 'year', 'weekdays' or 'none'. The default if `p` lacks it.
create macro compare() as coalesce(optional_parameter('compare'), 'previous');

-- The period that a bridge compares with [D53]. Null for that of `compare`.
create macro compare_start() as optional_parameter('compare_start_date')::date;
create macro compare_end() as optional_parameter('compare_end_date')::date;

-- Whether all rows are asked for, of an answer that has a part of them. A `p` without it has the default.
create macro wants_all() as coalesce(optional_parameter('all'), 'false') = 'true';

-- The length of a trend's points: 'day', 'week' or 'month'. A `p` without it has the default.
create macro point_length() as coalesce(to_json(getvariable('p')) ->> '$.granularity', 'day');

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

-- Of the pace of a month: its first day, the day before today, and the targets as {figure: amount}.
create macro month_start() as optional_parameter('month_start')::date;
create macro yesterday() as optional_parameter('yesterday')::date;
create macro targets() as coalesce(optional_parameter('targets'), '{}')::json;

-- Of the lists of products: what is searched for, filtered and sorted by; the page. A null filter selects all.
create macro searched_name() as getvariable('p').search::varchar;
create macro chosen_status() as coalesce(optional_parameter('status'), 'all');
create macro chosen_categories() as getvariable('p').category_ids::varchar;
create macro least_net_sales() as getvariable('p').min_net_sales::double;
create macro most_net_sales() as getvariable('p').max_net_sales::double;
create macro least_margin_total() as getvariable('p').min_margin_total::double;
create macro most_margin_total() as getvariable('p').max_margin_total::double;
create macro least_margin_average() as getvariable('p').min_margin_average::double;
create macro most_margin_average() as getvariable('p').max_margin_average::double;
create macro least_stock() as getvariable('p').min_available_stock::double;
create macro most_stock() as getvariable('p').max_available_stock::double;
create macro sort_key() as getvariable('p').sort_by::varchar;
create macro sort_direction() as getvariable('p').sort_order::varchar;
create macro page_number() as getvariable('p').page::bigint;
create macro page_size() as getvariable('p').page_size::bigint;

-- The length of the points of a product's series: 'day' or 'week'.
create macro series_step() as getvariable('p').granularity::varchar;

-- In the last branch of a choice: a value that an analysis does not know must not take the branch of another one.
create macro unknown_choice(parameter, chosen) as error(parameter || ': ' || chosen || ' has no branch here');
