-- Macros of the product analyses: the requested store, and rules for figures that are not available.

-- Whether a landing is older than 24 hours; without a landing the data is missing, not stale.
create macro is_stale(landed_at) as coalesce(landed_at < request_time() - interval 24 hours, false);

-- The requested store; no row when the organization has no such store. `as_of_day` [D34] is the
-- first day whose data may be incomplete; `from_on` and `to_on` are the period.
create macro requested_store() as table
    select
        integration_id,
        has_returns,
        last_landed_at as as_of,
        least(request_day(), timezone('UTC', last_landed_at)::date) as as_of_day,
        is_stale(last_landed_at) as is_stale,
        date_from() as from_on,
        date_to() as to_on
    from product_stores
    where integration_id = requested_store_id();

create macro as_of_day() as (select as_of_day from requested_store());

-- An amount over the units that have a sale value; null when units were sold and no unit has a value [D33].
create macro value_if_known(amount, units, units_with_value) as case when units = 0 or units_with_value > 0 then amount end;

-- Why the cost of goods and the margin are not available; null when they are.
create macro margin_nd_reason(units, units_with_value, units_with_cost) as
    case
        when units_with_value < units then 'incomplete_gross_value'
        when units_with_cost < units then 'incomplete_cost'
    end;

-- The cost of goods and the margin; null when they are not available.
create macro cost_if_known(cost, units, units_with_value, units_with_cost) as
    case when margin_nd_reason(units, units_with_value, units_with_cost) is null then cost end;
create macro margin_if_known(net_value, cost, units, units_with_value, units_with_cost) as
    net_value - cost_if_known(cost, units, units_with_value, units_with_cost);

create macro margin_average(margin_total, net_sales) as ratio(safe_divide(margin_total, net_sales));

-- Whether a figure is in a range; false when it is not available. A bound that is null does not limit it.
create macro is_within(figure, least_figure, most_figure) as
    (least_figure is null or coalesce(figure >= least_figure, false))
    and (most_figure is null or coalesce(figure <= most_figure, false));
