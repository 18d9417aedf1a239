-- The filters of a request: a store, a channel, or both [D86]. Analyses read orders, customers and spend by the macros here. Without a
-- filter they are the whole relations; with one, those that also say the store.
-- Parameters: integration_id, channel (both may be missing).

create macro filtered_store() as optional_parameter('integration_id');
create macro filtered_channel() as optional_parameter('channel');
create macro is_filtered() as filtered_store() is not null or filtered_channel() is not null;

-- Whether something of this store and channel passes both filters.
create macro passes_filters(store_id, channel) as passes('integration_id', store_id) and passes('channel', channel);

-- The relation that a request reads, as a text, so that only the chosen one is planned.
create macro unless_filtered(whole, filtered) as if(is_filtered(), filtered, whole);

-- A quotient without anything to divide by: 0, with a filter null.
create macro zero_unless_filtered(figure) as if(is_filtered(), figure, or_zero(figure));

-- Orders. `acquired_on` is the customer's first day, if the first order passes the filters. The days of previous orders are those of orders
-- that pass; before these stands the first order, whichever that is.
create macro filtered_orders() as table
    select
        * replace (
            case when customer_no is not null then greatest(coalesce(lag(ordered_on) over in_days, first_on), first_on) end as previous_on,
            case
                when customer_no is not null
                    then lag(case when is_recurring and strategy = 'monetization' then ordered_on end ignore nulls) over in_days
            end as previous_monetized_on
        ),
        case when passes_filters(first_integration_id, first_channel) then first_on end as acquired_on
    from orders
    where passes_filters(integration_id, channel)
    window in_days as (partition by customer_no order by ordered_on, ordered_at, order_id, integration_id);
create macro analysed_orders() as table
    from query(unless_filtered('select *, first_on as acquired_on from orders', 'from filtered_orders()'));

-- All orders, wherever, of the customers whose first order passes.
create macro filtered_purchases() as table
    from orders
    where customer_no is not null and passes_filters(first_integration_id, first_channel);
create macro analysed_purchases() as table
    from query(unless_filtered('from orders', 'from filtered_purchases()'));

-- Orders per day.
create macro filtered_daily_orders() as table
    from daily_orders_by_store
    where passes_filters(integration_id, channel);
create macro analysed_daily_orders() as table
    from query(unless_filtered('from daily_orders', 'from filtered_daily_orders()'));

-- Lines of orders. The channel of an order follows from its UTM parameters.
create macro filtered_lines() as table
    select lines.*
    from order_lines as lines
    semi join (from order_sources where passes('channel', channel)) as sources
        on sources.utm_source is not distinct from lines.utm_source
        and sources.utm_medium is not distinct from lines.utm_medium
        and sources.utm_campaign is not distinct from lines.utm_campaign
    where passes('integration_id', lines.integration_id);
create macro analysed_lines() as table
    from query(unless_filtered('from order_lines', 'from filtered_lines()'));

-- Sales by product.
create macro filtered_product_sales() as table
    from product_sales
    where passes_filters(integration_id, channel);
create macro analysed_product_sales() as table
    from query(unless_filtered('from product_sales', 'from filtered_product_sales()'));

-- Customers whose first order passes, and what they bought, wherever.
create macro filtered_customers() as table
    from customers
    where passes_filters(integration_id, channel);
create macro analysed_customers() as table
    from query(unless_filtered('from customers', 'from filtered_customers()'));
create macro filtered_acquisitions() as table
    from daily_acquisitions_by_store
    where passes_filters(integration_id, channel);
create macro analysed_acquisitions() as table
    from query(unless_filtered('from daily_acquisitions', 'from filtered_acquisitions()'));
create macro filtered_cohorts() as table
    from daily_cohorts_by_store
    where passes_filters(integration_id, channel);
create macro analysed_cohorts() as table
    from query(unless_filtered('from daily_cohorts', 'from filtered_cohorts()'));

-- Ad accounts whose spend may be that of a store. One that names it alone has spend of no other; one that names it with others, or names
-- none, hides it.
create macro accounts_of_store(store_id) as table
    select integration_id, connector, coalesce(len(stores) = 1, false) as is_alone
    from integrations
    where kind = 'ads' and coalesce(list_contains(stores, store_id), true);

-- Whether the spend of the filters is known. That of a channel without a connector is 0, in any store.
-- Grain: one row.
create macro filtered_spend_knowledge() as table
    select
        filtered_store() is null
            or filtered_channel() is not null and not has_spend(filtered_channel())
            or (select coalesce(bool_and(is_alone), true) from accounts_of_store(filtered_store())) as is_known;
create macro spend_knowledge() as table
    from query(unless_filtered('select true as is_known', 'from filtered_spend_knowledge()'));

-- The ad accounts whose spend the figures of the filtered store have.
-- Grain: one row.
create macro filtered_accounts() as table
    from query(
        unless_filtered(
            'select []::varchar[] as account_ids',
            'select coalesce(list(integration_id) filter (where is_alone), []) as account_ids from accounts_of_store(filtered_store())'
        )
    );

-- Spend, each day from the record chosen over all accounts [D10]. The channel of spend has the name of its connector [D15]. No rows while
-- it is unknown.
create macro filtered_spend() as table
    select media_spend.*
    from media_spend
    cross join filtered_spend_knowledge() as knowledge
    where knowledge.is_known
        and passes('channel', media_spend.connector)
        and (
            filtered_store() is null
            or media_spend.integration_id in (select integration_id from accounts_of_store(filtered_store()))
        );
create macro analysed_spend() as table
    from query(unless_filtered('from media_spend', 'from filtered_spend()'));

-- What happened on each day, as daily_totals. Events are of no store and of no channel.
create macro filtered_totals() as table
    with
    order_rows as (from filtered_daily_orders()),
    acquisition_rows as (from filtered_acquisitions()),
    spend_rows as (from filtered_spend()),
    event_rows as (
        select null::date as happened_on, null::bigint as interest_events, null::bigint as decision_events
        where false
    )
    from day_sums('order_rows', 'acquisition_rows', 'spend_rows', 'event_rows');
create macro analysed_totals() as table
    from query(unless_filtered('from daily_totals', 'from filtered_totals()'));

-- What paybacks are computed from, as daily_paybacks.
create macro filtered_paybacks() as table
    with
    acquisition_rows as (from filtered_acquisitions()),
    spend_rows as (from filtered_spend()),
    cohort_rows as (from filtered_cohorts()),
    organization_rows as (from organization)
    from payback_sums('acquisition_rows', 'spend_rows', 'cohort_rows', 'organization_rows');
create macro analysed_paybacks() as table
    from query(unless_filtered('from daily_paybacks', 'from filtered_paybacks()'));
