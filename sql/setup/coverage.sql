-- Coverage [D23]: which stores and ad accounts have no data for the end of the period.

-- The stores and ad accounts, and the last day of the data of each.
-- Grain: one row per store or ad account.
create macro account_days() as table
    with
    newest as (
        select integration_id, max(newest_on) as newest_on
        from landed_records
        where record in ('orders', 'campaigns')
        group by all
    )
    select
        integrations.kind,
        integrations.position,
        integrations.integration_id,
        greatest(newest.newest_on, integrations.pulled_until) as last_on
    from integrations
    left join newest on newest.integration_id = integrations.integration_id;

-- Those whose data end before the last day that an answer needs: that of the period; without one the horizon [D7].
-- Grain: one row. `stores` and `accounts` are lists of {integrationId, lastDay}, in the order of the settings.
create macro coverage() as (
    with

    needed as (

        select coalesce(period_end(), horizon_on) as needed_on
        from organization

    ),

    lacking as (

        select kind, position, {integrationId: integration_id, lastDay: last_on} as account
        from account_days() as accounts
        cross join needed
        where needed_on is not null and coalesce(last_on < needed_on, true)

    )

    select {
        stores: coalesce(list(account order by position) filter (where kind = 'store'), []),
        accounts: coalesce(list(account order by position) filter (where kind = 'ads'), [])
    }
    from lacking
);
