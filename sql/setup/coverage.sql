-- Coverage [D23]: which stores and ad accounts have no data for the end of the period.

-- The last day that an answer needs: that of the period; without one the horizon [D7].
create macro needed_until() as coalesce(period_end(), (select horizon_on from organization));

-- The stores and ad accounts whose data end before that day.
-- Grain: one row. `stores` and `accounts` are lists of {integrationId, lastDay}, in the order of the settings.
create macro coverage() as (
    with

    newest as (

        select integration_id, max(newest_on) as newest_on
        from landed_records
        where record in ('orders', 'campaigns')
        group by all

    ),

    lacking as (

        select
            integrations.kind,
            integrations.position,
            {
                integrationId: integrations.integration_id,
                lastDay: greatest(newest.newest_on, integrations.pulled_until)
            } as account
        from integrations
        left join newest on newest.integration_id = integrations.integration_id
        where needed_until() is not null
            and coalesce(greatest(newest.newest_on, integrations.pulled_until) < needed_until(), true)

    )

    select {
        stores: coalesce(list(account order by position) filter (where kind = 'store'), []),
        accounts: coalesce(list(account order by position) filter (where kind = 'ads'), [])
    }
    from lacking
);
