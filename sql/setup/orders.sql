-- The orders behind a number [D51]: the filters of the request, and the rows that pass them.

-- Filters of the request; a member that `p` lacks filters nothing.
create macro acquired_start() as optional_parameter('acquired_start')::date;
create macro acquired_end() as optional_parameter('acquired_end')::date;

-- Whether a folded text, in upper case, passes it [D88]. Nothing equals a value that folds to nothing.
create macro passes_folded(name, value) as coalesce(value = upper(folded(optional_parameter(name))), optional_parameter(name) is null);

-- The customer of a counted order in the period: `new` if the first order is in it, `recurring` if it is before. Null
-- where the first order is later, by its day in another time zone.
create macro customer_group(customer_no, first_on) as
    case
        when customer_no is null then 'anonymous'
        when is_in_period(first_on) then 'new'
        when first_on < period_start() then 'recurring'
    end;

-- The purchase of a counted order: the customer's first one [D6], or a later one.
create macro purchase_kind(customer_no, is_recurring) as
    case when customer_no is not null then case when is_recurring then 'repeat' else 'first' end end;

-- Orders of the period, counted or not, that pass the filters but those of what they carry.
-- Grain: one row per order. Uncounted ones have no customer.
create macro orders_of_request() as table
    with
    of_period as (
        select *, customer_group(customer_no, first_on) as customer, null::varchar as reason
        from orders
        where is_in_period(ordered_on)
            and coalesce(optional_parameter('counted'), 'true') <> 'false'
            and (acquired_start() is null or first_on between acquired_start() and acquired_end())
            and passes('purchase', purchase_kind(customer_no, is_recurring))
            and passes('acquired_integration_id', first_integration_id)
            and passes('acquired_channel', first_channel)
        union all by name
        select *
        from uncounted_orders
        where is_in_period(ordered_on)
            and coalesce(optional_parameter('counted'), 'true') <> 'true'
            and acquired_start() is null
            and optional_parameter('purchase') is null
            and optional_parameter('acquired_integration_id') is null
            and optional_parameter('acquired_channel') is null
    )
    select *
    from of_period
    where passes('integration_id', integration_id)
        and passes('customer', customer)
        and passes('channel', channel)
        and (optional_parameter('coupon') is null or coalesce(coupon = upper(trim(optional_parameter('coupon'))), false))
        and passes('strategy', coalesce(strategy, 'unclassified'));
