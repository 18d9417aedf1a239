-- The statement of profit: its lines, what each is made of and how much of it is known, and the period that it is compared with.
-- Grain: one row. `previousPeriod` and `changes` are null without a comparison.
-- Parameters: start_date, end_date (inclusive; null for the whole history). All others may be missing: compare (default
--   'previous'), compare_start_date, compare_end_date, integration_id (a store), refunds_on (refund, order).
-- Follows [D4], [D8], [D10], [D18], [D50], [D54], [D70], [D71], [D72], [D73], [D74].

with

windows as materialized (from statement_windows()),

shown as materialized (from shown_lines()),

statement as (

    pivot (
        select line, {amount: amount, share: share, source: source, coverage: coverage, parts: parts} as figures
        from shown
    )
    on line in (
        'revenue', 'giftCards', 'refunds', 'salesTax', 'netRevenue', 'goods', 'contribution1', 'payment', 'shipping', 'fulfilment',
        'commission', 'other', 'contribution2', 'media', 'contribution3', 'fixed', 'profit'
    )
    using any_value(figures)

),

changes as (

    pivot (select line, {amount: change, pct: pct} as figures from shown)
    on line in (
        'revenue', 'giftCards', 'refunds', 'salesTax', 'netRevenue', 'goods', 'contribution1', 'payment', 'shipping', 'fulfilment',
        'commission', 'other', 'contribution2', 'media', 'contribution3', 'fixed', 'profit'
    )
    using any_value(figures)

),

before as (

    pivot (select line, previous from shown)
    on line in (
        'revenue', 'giftCards', 'refunds', 'salesTax', 'netRevenue', 'goods', 'contribution1', 'payment', 'shipping', 'fulfilment',
        'commission', 'other', 'contribution2', 'media', 'contribution3', 'fixed', 'profit'
    )
    using any_value(previous)

)

select
    statement as statement,
    case
        when windows.window_no is not null
            then {
                period: {startDate: windows.first_on, endDate: windows.last_on},
                revenue: before.revenue,
                "giftCards": before."giftCards",
                refunds: before.refunds,
                "salesTax": before."salesTax",
                "netRevenue": before."netRevenue",
                goods: before.goods,
                contribution1: before.contribution1,
                payment: before.payment,
                shipping: before.shipping,
                fulfilment: before.fulfilment,
                commission: before.commission,
                other: before.other,
                contribution2: before.contribution2,
                media: before.media,
                contribution3: before.contribution3,
                fixed: before.fixed,
                profit: before.profit
            }
    end as "previousPeriod",
    case when windows.window_no is not null then changes end as changes
from statement
left join windows on windows.window_no = 2
left join before on true
left join changes on true
