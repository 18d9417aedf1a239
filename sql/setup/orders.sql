-- The orders behind a number [D51]: the filters of the request, and the rows that pass them.

-- Filters of the request; a member that `p` lacks filters nothing.
create macro acquired_start() as optional_parameter('acquired_start')::date;
create macro acquired_end() as optional_parameter('acquired_end')::date;

-- Whether a value passes the filter of a member of `p`.
create macro passes(name, value) as coalesce(value = optional_parameter(name), optional_parameter(name) is null);

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

-- Orders of the period, counted or not, that pass all filters.
-- Grain: one row per order. Uncounted ones have no customer.
create macro selected_orders() as table
    with
    of_period as (
        select
            integration_id,
            connector,
            order_id,
            ordered_on,
            ordered_at,
            revenue,
            cost,
            customer_group(customer_no, first_on) as customer,
            order_no,
            customer_id,
            channel,
            campaign_connector,
            campaign_key,
            strategy,
            coupon,
            null::varchar as reason
        from orders
        where is_in_period(ordered_on)
            and coalesce(optional_parameter('counted'), 'true') <> 'false'
            and (acquired_start() is null or first_on between acquired_start() and acquired_end())
            and passes('purchase', purchase_kind(customer_no, is_recurring))
        union all by name
        select *
        from uncounted_orders
        where is_in_period(ordered_on)
            and coalesce(optional_parameter('counted'), 'true') <> 'true'
            and acquired_start() is null
            and optional_parameter('purchase') is null
    )
    select *
    from of_period
    where passes('integration_id', integration_id)
        and passes('customer', customer)
        and passes('channel', channel)
        and passes('strategy', coalesce(strategy, 'unclassified'));
