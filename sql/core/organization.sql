-- Facts about the whole organization, independent of the period.
-- Grain: one row.
-- Variables: settings, organization_id.
-- Key: one row
-- Kept for: analyses

select
    getvariable('organization_id')::varchar as organization_id,
    (getvariable('settings')::json ->> '$.name') as name,
    (getvariable('settings')::json ->> '$.currency') as currency,
    from_json(getvariable('settings')::json -> '$.funnel.interest', '["VARCHAR"]')::varchar[] as interest_events,
    from_json(getvariable('settings')::json -> '$.funnel.decision', '["VARCHAR"]')::varchar[] as decision_events,
    -- The latest day of any counted order: later days are unknown, not zero [D7].
    (select max(ordered_on) from daily_orders) as horizon_on,
    -- The oldest of the last landing times of the stores and ad accounts [D9].
    (
        select min(last_landed_at)
        from integrations
        where kind in ('store', 'ads')
    ) as as_of,
    coalesce((select bool_or(strategy = 'acquisition') from campaigns), false)
        or coalesce((select bool_or(strategy = 'acquisition') from daily_orders), false) as has_acquisition_classification
