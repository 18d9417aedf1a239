-- Coverage [D23]: which stores and ad accounts have no data for the end of the period.

-- The stores and ad accounts, and the last day of the data of each.
-- Grain: one row. `stores` and `accounts` are lists of {integrationId, lastDay}, in the order of the settings.
create macro account_days() as table
    with
    newest as (
        select integration_id, max(newest_on) as newest_on
        from landed_records
        where record in ('orders', 'campaigns')
        group by all
    ),
    days as (
        select
            integrations.kind,
            integrations.position,
            {
                integrationId: integrations.integration_id,
                lastDay: greatest(newest.newest_on, integrations.pulled_until)
            } as account
        from integrations
        left join newest on newest.integration_id = integrations.integration_id
    )
    select
        coalesce(list(account order by position) filter (where kind = 'store'), []) as stores,
        coalesce(list(account order by position) filter (where kind = 'ads'), []) as accounts
    from days;

-- Those of a list whose data end before a day; all with no data.
create macro lacking(listed, needed_on) as
    list_filter(listed, lambda one: needed_on is not null and coalesce(one."lastDay" < needed_on, true));

-- Of `days`, a row of account_days: those whose data end before the last day that an answer needs: that of the period; without one the
-- horizon [D7].
create macro coverage_of(days, period_end_on, horizon_on) as {
    stores: lacking(days.stores, coalesce(period_end_on, horizon_on)),
    accounts: lacking(days.accounts, coalesce(period_end_on, horizon_on))
};

create macro coverage() as (
    select coverage_of(days, period_end(), organization.horizon_on)
    from account_days() as days
    cross join organization
);
