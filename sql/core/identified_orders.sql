-- Orders of every store; counted orders carry the person who bought, who is the same across stores and platform ids
-- [D5].
-- Grain: one row per integration and order. `person_id` is null for anonymous orders and for orders that are not
-- counted.
-- Key: integration_id, order_id
-- Kept for: increments
-- Partition: days of ordered_on
-- Order: ordered_on
-- Per: order

with

-- A platform id's e-mail is the real e-mail of its latest counted order that has one.
latest_times as (

    select account_id, max(ordered_at) as ordered_at
    from store_orders
    where is_counted and account_id is not null and email_id is not null
    group by account_id

),

account_emails as (

    select store_orders.account_id, arg_max(store_orders.email_id, store_orders.order_id) as email_id
    from store_orders
    join latest_times
        on latest_times.account_id = store_orders.account_id and latest_times.ordered_at = store_orders.ordered_at
    where store_orders.is_counted and store_orders.email_id is not null
    group by store_orders.account_id

)

select
    store_orders.*,
    case
        when store_orders.is_counted
            then coalesce(account_emails.email_id, store_orders.email_id, store_orders.account_id)
    end as person_id
from store_orders
left join account_emails on account_emails.account_id = store_orders.account_id
