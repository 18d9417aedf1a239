-- Alerts [D96], [D226], [D227]: what a figure of a day is expected to be, which days are beyond a limit, and the causes that these make.
-- `watched`, `judged`, … as text: the name of a relation.

-- The noted days of the settings. Grain: one row per note.
create macro noted_spans() as table
    select
        note."from"::date as from_on,
        coalesce(note.until, note."from")::date as until_on,
        note.text as note_text,
        coalesce(note.sale, false) as is_sale
    from (
        select unnest(from_json(
            coalesce(optional_parameter('notes'), '[]')::json,
            '[{"from": "VARCHAR", "until": "VARCHAR", "text": "VARCHAR", "sale": "BOOLEAN"}]'
        )) as note
    );

-- What the settings say of alerts. Grain: one row per entry, in their order.
create macro stated_alerts() as table
    select generate_subscripts(entries, 1) as entry_no, unnest(entries, recursive := true)
    from (
        select from_json(
            coalesce(optional_parameter('alerts'), '[]')::json,
            '[{"name": "VARCHAR", "figure": "VARCHAR", "channel": "VARCHAR", "campaignId": "VARCHAR", "integrationId": "VARCHAR",
               "rule": "VARCHAR", "value": "DOUBLE", "over": "VARCHAR", "atOnce": "BOOLEAN", "builtIn": "VARCHAR", "off": "BOOLEAN"}]'
        ) as entries
    );

-- The built-in alerts, in the order in which they are shown.
-- Grain: one row per alert.
create macro built_in_alerts() as table
    select unnest([
        'lateData', 'spendWithoutSales', 'investment', 'orders', 'revenue', 'campaignLoses', 'returnRate', 'stock'
    ]) as built_in;

-- What a rule is of.
create macro alert_scope(channel, campaign_id, integration_id) as
    case
        when channel is not null then 'channel'
        when campaign_id is not null then 'campaign'
        when integration_id is not null then 'store'
        else 'all'
    end;

-- The alerts that are on: the built-in ones that are not off, then the rules of the settings.
-- Grain: one row per alert. Columns of a rule are null for a built-in alert.
create macro alerts_on() as table
    with
    stated as materialized (from stated_alerts()),
    built_in as (
        select *, row_number() over () as built_in_no
        from built_in_alerts()
    )
    select
        built_in.built_in_no::bigint as alert_no,
        built_in.built_in as name,
        built_in.built_in,
        case when built_in.built_in in ('investment', 'orders', 'revenue') then built_in.built_in end as figure,
        null::varchar as scope,
        null::varchar as scope_key,
        null::varchar as rule,
        null::double as "value",
        null::varchar as over,
        coalesce(stated."atOnce", false) as at_once
    from built_in
    left join stated on stated."builtIn" = built_in.built_in
    where not coalesce(stated.off, false)
    union all
    select
        100 + entry_no,
        name,
        null,
        figure,
        alert_scope(channel, "campaignId", "integrationId"),
        coalesce(channel, "campaignId", "integrationId"),
        rule,
        "value",
        over,
        coalesce("atOnce", false)
    from stated
    where "builtIn" is null;

-- The stores and ad accounts with the days that their data cover as a whole [D226]: up to the last that a complete pull asked
-- for, else up to that of the newest row, if it had ended when the data landed. Those that never had any data are left out.
-- Grain: one row per integration.
create macro alert_sources() as table
    with
    newest as (
        select integration_id, max(newest_on) as newest_on
        from landed_records
        where record in ('orders', 'campaigns')
        group by all
    )
    select
        integrations.position,
        integrations.integration_id,
        integrations.integration_name,
        integrations.connector,
        integrations.kind,
        greatest(
            least(newest.newest_on, local_time(integrations.last_landed_at, integrations.timezone)::date - 1),
            integrations.pulled_until
        ) as until_on
    from integrations
    left join newest on newest.integration_id = integrations.integration_id
    where integrations.kind in ('store', 'ads') and (newest.newest_on is not null or integrations.pulled_until is not null);

-- The days that alerts can be of: from the first with an order or spend to the last that any source covers, up to the end of the period.
-- Grain: one row per day. `is_sale`: it is noted as a sale.
create macro alert_days() as table
    with
    bounds as (
        select
            (select min(day_on) from daily_totals where is_covered) as first_on,
            least((select max(until_on) from alert_sources()), period_end()) as last_on
    ),
    days as (
        select first_on + unnest(generate_series(0, last_on - first_on))::integer as day_on
        from bounds
    )
    select
        days.day_on,
        coalesce(bool_or(notes.is_sale), false) as is_sale
    from days
    left join noted_spans() as notes on days.day_on between notes.from_on and notes.until_on
    group by days.day_on;

-- What channels and campaigns are worth on each line, by the day of the orders [D76].
-- Grain: one row per day, channel, campaign and line.
create macro contribution_days() as table
    with
    facts as materialized (
        select
            row_number() over () as fact_no,
            daily_facts.channel,
            daily_facts.campaign_connector,
            daily_facts.campaign_key,
            daily_facts.integration_id,
            daily_facts.ordered_on,
            daily_facts.is_sale,
            daily_facts.has_fee,
            case when distinguished.payment_methods then daily_facts.payment_methods end as payment_methods,
            sum(daily_facts.facts)::bigint as facts,
            sum(columns('^(revenue|gift_cards|refunds|net_revenue|sale_value|tax|shipping|fee|re.*ed_cost|uncosted_value)$')),
            sum(columns('units$|^refunds_above_zero$'))::bigint
        from daily_profit_facts as daily_facts
        cross join distinguished('cost_rules') as distinguished
        group by all
    )
    select
        facts.ordered_on as day_on,
        facts.channel,
        facts.campaign_connector,
        facts.campaign_key,
        amounts.line,
        or_zero(sum(amounts.amount) filter (where amounts.measure = 'amount')) as amount,
        bool_or(amounts.line = 'goods' and amounts.measure in ('unknown', 'unknown back')) as is_unknown
    from profit_amounts('facts', 'cost_rules') as amounts
    join facts on facts.fact_no = amounts.fact_no
    group by facts.ordered_on, facts.channel, facts.campaign_connector, facts.campaign_key, amounts.line;

-- What happened on each day in each scope, by the name of a line or figure, exactly.
-- Grain: one row or more per scope, key, day and item. `scopes`: the name of a relation of (scope, scope_key). The keys of campaigns are
-- ids; of the scope 'ad', connector and id.
create macro scope_amounts(scopes) as table
    with
    wanted as materialized (select distinct scope, scope_key from query_table(scopes)),
    contribution as (from contribution_days()),
    by_dimension as (
        select 'channel' as scope, channel as scope_key, day_on, line as item, amount, is_unknown
        from contribution
        where exists (from wanted where wanted.scope = 'channel')
        union all
        select 'campaign', campaign_key, day_on, line, amount, is_unknown
        from contribution
        where exists (from wanted where wanted.scope = 'campaign')
        union all
        select 'ad', campaign_connector || ':' || campaign_key, day_on, line, amount, is_unknown
        from contribution
        where exists (from wanted where wanted.scope = 'ad')
    ),
    orders_of as (
        select channel, campaign_key, campaign_connector, ordered_on as day_on, 'orders' as item, orders::decimal(38, 6) as amount
        from daily_orders
        union all
        select channel, campaign_key, campaign_connector, first_on, 'newCustomers', customers::decimal(38, 6)
        from daily_acquisitions
        union all
        select connector, campaign_key, connector, spent_on, unnest(['investment', 'media']), unnest([spend, -spend])::decimal(38, 6)
        from media_spend
    ),
    all_amounts as (
        from by_dimension
        union all
        select 'channel', channel, day_on, item, amount, false from orders_of
        union all
        select 'campaign', campaign_key, day_on, item, amount, false from orders_of
        union all
        select 'ad', campaign_connector || ':' || campaign_key, day_on, item, amount, false from orders_of
        union all
        select
            unnest(['all', 'store']), unnest([null, integration_id]), day_on, line,
            case when measure = 'amount' then amount end,
            line = 'goods' and measure in ('unknown', 'unknown back')
        from daily_profit_amounts
        where is_dated_by('refund', refunds_on)
        union all
        select
            'all', null, day_on,
            unnest(['orders', 'newCustomers', 'investment']), unnest([orders, new_customers, investment])::decimal(38, 6), false
        from daily_totals
        union all
        select 'store', integration_id, ordered_on, 'orders', orders, false
        from daily_store_orders
        union all
        select 'all', null, counted_on, 'returns', refunds_above_zero, false
        from daily_profit_facts
        where refunds_above_zero > 0
    )
    select all_amounts.*
    from all_amounts
    semi join wanted
        on wanted.scope = all_amounts.scope and wanted.scope_key is not distinct from all_amounts.scope_key;

-- The days of each scope in one row, with zeros where nothing happened: exact amounts and counts.
-- Grain: one row per scope, key and day of alert_days. `day_rows`: the name of a relation as of alert_days.
create macro scope_days(scopes, day_rows) as table
    with
    wanted as (select distinct scope, scope_key from query_table(scopes)),
    amounts as (
        select
            scope, scope_key, day_on,
            sum(amount) filter (where item = 'revenue') as revenue,
            sum(amount) filter (where item = 'giftCards') as gift_cards,
            sum(amount) filter (where item = 'refunds') as refunds,
            sum(amount) filter (where item = 'salesTax') as sales_tax,
            sum(amount) filter (where item = 'goods') as goods,
            sum(amount) filter (where item = 'payment') as payment,
            sum(amount) filter (where item = 'shipping') as shipping,
            sum(amount) filter (where item = 'fulfilment') as fulfilment,
            sum(amount) filter (where item = 'commission') as commission,
            sum(amount) filter (where item = 'other') as other,
            sum(amount) filter (where item = 'media') as media,
            sum(amount) filter (where item = 'orders') as orders,
            sum(amount) filter (where item = 'newCustomers') as new_customers,
            sum(amount) filter (where item = 'investment') as investment,
            sum(amount) filter (where item = 'returns') as returns,
            coalesce(bool_or(is_unknown), false) as is_unknown
        from scope_amounts(scopes)
        group by scope, scope_key, day_on
    )
    select
        wanted.scope,
        wanted.scope_key,
        days.day_on,
        days.is_sale,
        coalesce(columns(amounts.* exclude (scope, scope_key, day_on, is_unknown)), 0),
        coalesce(amounts.is_unknown, false) as is_unknown
    from wanted
    cross join query_table(day_rows) as days
    left join amounts
        on amounts.scope = wanted.scope
        and amounts.scope_key is not distinct from wanted.scope_key
        and amounts.day_on = days.day_on;

-- The same, of each day and of the 7 days that end with it.
-- Grain: one row per scope, key, day and `over`. `first_on`: the first of its days; `day_count`: how many of them there are.
create macro scope_windows(scope_rows) as table
    select 'day' as over, day_on as first_on, 1 as day_count, *
    from query_table(scope_rows)
    union all
    select
        'week', day_on - 6, count(*) over of_week, scope, scope_key, day_on, bool_or(is_sale) over of_week,
        sum(columns(* exclude (scope, scope_key, day_on, is_sale, is_unknown))) over of_week, bool_or(is_unknown) over of_week
    from query_table(scope_rows)
    window of_week as (
        partition by scope, scope_key order by day_on range between interval 6 days preceding and current row
    );

-- A figure of a row of scope_windows, as the API answers it; null if it is not known.
create macro alert_figure(figure, days) as
    case figure
        when 'revenue' then rounded_sum(days.revenue)
        when 'orders' then days.orders
        when 'newCustomers' then days.new_customers
        when 'investment' then rounded_sum(days.investment)
        when 'cac' then case when days.investment <> 0 then average(cac(days.investment, nullif(days.new_customers, 0))) end
        else
            case when figure = 'netRevenue' or not days.is_unknown and not (figure = 'contribution3' and days.scope = 'store') then
                rounded_sum(days.revenue) + rounded_sum(days.gift_cards) + rounded_sum(days.refunds) + rounded_sum(days.sales_tax)
                + case
                    when figure in ('contribution1', 'contribution2', 'contribution3') then rounded_sum(days.goods)
                    when figure = 'netRevenue' then 0
                    else unknown_choice('metric', figure)
                end
                + case
                    when figure in ('contribution2', 'contribution3') then
                        rounded_sum(days.payment) + rounded_sum(days.shipping) + rounded_sum(days.fulfilment)
                        + rounded_sum(days.commission) + rounded_sum(days.other)
                    else 0
                end
                + case when figure = 'contribution3' then rounded_sum(days.media) else 0 end
            end
    end::double;

-- The days that every source of a figure covers [D226]. `sources`: the name of a relation as of alert_sources.
-- Grain: one row per figure and scope of `watched`, a relation of (figure, scope, scope_key).
create macro covered_spans(watched, sources) as table
    select
        figure,
        scope,
        scope_key,
        greatest(
            case when figure <> 'investment' then
                (
                    select min(ordered_on)
                    from daily_store_orders
                    where scope <> 'store' or integration_id = scope_key
                )
            end,
            case when figure in ('investment', 'cac', 'contribution3') then
                (select min(day_on) from daily_totals where investment <> 0)
            end
        ) as from_on,
        (
            select min(until_on)
            from query_table(sources) as sources
            where case kind
                when 'store' then figure <> 'investment' and (scope <> 'store' or integration_id = scope_key)
                else figure in ('investment', 'cac', 'contribution3') and (scope <> 'channel' or connector = scope_key)
            end
        ) as until_on
    from (select distinct figure, scope, scope_key from query_table(watched));

-- What each figure was, and was expected to be, on each day: the median of its like in the 8 weeks before [D96].
-- Grain: one row per row of `watched` (alert_no, figure, scope, scope_key, over) and day. `actual` is null on days that are not
-- whole or not covered, and where it is unknown; `expected` with fewer than 4 days to compare with.
create macro expected_days(watched, windows, spans) as table
    with
    actuals as (
        select
            watched.alert_no, watched.figure, watched.scope, watched.scope_key, watched.over,
            days.day_on, days.first_on, days.is_sale,
            case
                when days.day_count = if(watched.over = 'week', 7, 1) and days.first_on >= spans.from_on and days.day_on <= spans.until_on
                    then alert_figure(watched.figure, days)
            end as actual
        from query_table(watched) as watched
        join query_table(windows) as days
            on days.scope = watched.scope
            and days.scope_key is not distinct from watched.scope_key
            and days.over = watched.over
        join query_table(spans) as spans
            on spans.figure = watched.figure
            and spans.scope = watched.scope
            and spans.scope_key is not distinct from watched.scope_key
    )
    select
        *,
        case when count(actual) over alike >= 4 then median(actual) over alike end as expected,
        case when count(actual) over alike >= 4 then 1.4826 * mad(actual) over alike end as spread
    from actuals
    window alike as (
        partition by
            alert_no, scope, scope_key, is_sale,
            if(over = 'day' and is_sale, 0, isodow(day_on))
        order by day_on
        range between interval 56 days preceding and interval 1 day preceding
    );

-- Whether a figure is beyond the limit of a rule; null where that cannot be said.
create macro is_beyond_limit(rule, limit_value, actual, expected) as
    case rule
        when 'above' then actual > limit_value
        when 'below' then actual < limit_value
        when 'change' then
            case
                when expected = 0 then null
                when limit_value < 0 then actual - expected < limit_value / 100 * abs(expected)
                else actual - expected > limit_value / 100 * abs(expected)
            end
        else unknown_choice('rule', rule)
    end;

-- The days of the rules of the settings, judged.
-- Grain: one row per rule and day. `expected_rows`: the name of a relation as of expected_days.
create macro judged_rules(watched, expected_rows) as table
    select
        days.alert_no, days.scope_key, days.day_on, days.first_on, days.actual, days.expected,
        is_beyond_limit(watched.rule, watched."value", days.actual, days.expected) as is_beyond,
        null::double as least_pct,
        true as can_tell
    from query_table(expected_rows) as days
    join query_table(watched) as watched on watched.alert_no = days.alert_no
    where watched.rule is not null;

-- The days of figures of the organization that are judged three together [D227], at the level of the 4 weeks before: beyond is a
-- fall of more than 2.1 spreads, or a rise of more than 4, and of 15 %. The spread is the eighth tenth of how far three days were from
-- it, in the 8 weeks before, over that of a normal distribution. Days of a sale are not judged. Nothing is beyond in a shop that varies
-- so much that a fall by 30 %, of revenue by 50 %, could not be told from chance.
-- Grain: one row per figure and day. `least_pct`: the least fall that is found. `expected_rows`: the name of a relation as of
-- expected_days.
create macro judged_three(expected_rows) as table
    with
    three as (
        select
            alert_no, figure, scope_key, day_on,
            day_on - 2 as first_on,
            sum(actual) over of_three as actual,
            sum(expected) over of_three as expected,
            count(*) filter (where actual is not null and expected is not null and not is_sale) over of_three as known_days
        from query_table(expected_rows)
        window of_three as (
            partition by alert_no, scope_key order by day_on range between interval 2 days preceding and current row
        )
    ),
    deviations as (
        select
            *,
            case when known_days = 3 and expected > 0 then actual / expected - 1 end as deviation
        from three
    ),
    levels as (
        select
            *,
            case when count(deviation) over of_month >= 14 then 1 + median(deviation) over of_month end as level
        from deviations
        window of_month as (
            partition by alert_no, scope_key order by day_on range between interval 30 days preceding and interval 3 days preceding
        )
    ),
    moves as (
        select *, case when level > 0 then (1 + deviation) / level - 1 end as moved
        from levels
    ),
    spread as (
        select
            *,
            case when count(moved) over earlier >= 21 then quantile_cont(abs(moved), 0.8) over earlier / 1.2816 end as spread
        from moves
        window earlier as (
            partition by alert_no, scope_key order by day_on range between interval 56 days preceding and interval 3 days preceding
        )
    ),
    told as (
        select *, coalesce(2.6 * spread <= if(figure = 'revenue', 0.5, 0.3), false) as can_tell
        from spread
    )
    select
        alert_no, scope_key, day_on, first_on,
        case when moved is not null then actual end as actual,
        case when moved is not null then expected * level end as expected,
        case
            when moved is not null and spread is not null then
                can_tell and abs(moved) >= 0.15 and (-moved > 2.1 * spread or moved > 4 * spread)
        end as is_beyond,
        100 * greatest(0.15, 2.6 * spread) as least_pct,
        can_tell
    from told;

-- Days with spend and no order [D227], where 10 orders or more were expected: of the day, or of the 7 days that end with it.
-- Grain: one row per day. `expected_rows`: as of expected_days, of the orders of the organization; `windows` as of scope_windows.
create macro judged_spend(expected_rows, windows, spans) as table
    with
    orders as (
        select
            day_on,
            actual as day_orders,
            expected as day_expected,
            sum(actual) over of_week as week_orders,
            sum(expected) over of_week as week_expected,
            count(*) filter (where actual is not null and expected is not null) over of_week as known_days
        from query_table(expected_rows)
        window of_week as (order by day_on range between interval 6 days preceding and current row)
    )
    select
        null::varchar as scope_key,
        orders.day_on,
        if(day_expected >= 10, orders.day_on, orders.day_on - 6) as first_on,
        if(day_expected >= 10, day_orders, week_orders) as actual,
        if(day_expected >= 10, day_expected, week_expected) as expected,
        case
            when day_expected >= 10 and day_orders is null then null
            when day_expected >= 10 then day_orders = 0 and of_day.investment > 0
            when known_days = 7 and week_expected >= 10 then week_orders = 0 and of_week.investment > 0
            when known_days = 7 then false
        end as is_beyond,
        null::double as least_pct,
        true as can_tell
    from orders
    join query_table(windows) as of_day on of_day.scope = 'all' and of_day.over = 'day' and of_day.day_on = orders.day_on
    join query_table(windows) as of_week on of_week.scope = 'all' and of_week.over = 'week' and of_week.day_on = orders.day_on
    join query_table(spans) as spans on spans.figure = 'investment' and spans.scope = 'all'
    where orders.day_on between spans.from_on and spans.until_on;

-- Campaigns that begin to lose [D227]: in three days their orders left less than they spent, by 1 % of all spend or more, and
-- 15 % and 2.7 spreads less per spend than on the days with spend of the 8 weeks before, which did not lose and had 10 orders or more.
-- The spread is the lowest tenth of how far three days were from it, over that of a normal distribution. Nothing is beyond where a
-- loss of 70 % could not be told from chance.
-- Grain: one row per campaign and day. `scope_rows`: as of scope_days, of the scopes 'ad' and 'all'.
create macro judged_campaigns(scope_rows, spans) as table
    with
    amounts as (
        select
            scope, scope_key, day_on, is_sale, is_unknown,
            (
                rounded_sum(revenue) + rounded_sum(gift_cards) + rounded_sum(refunds) + rounded_sum(sales_tax) + rounded_sum(goods)
                + rounded_sum(payment) + rounded_sum(shipping) + rounded_sum(fulfilment) + rounded_sum(commission) + rounded_sum(other)
            ) as after_costs,
            investment,
            orders
        from query_table(scope_rows)
        where scope in ('ad', 'all')
    ),
    three as (
        select
            scope, scope_key, day_on,
            count(*) filter (where not is_sale) over of_three = 3 and not bool_or(is_unknown) over of_three as is_known,
            (sum(after_costs) over of_three)::double as after_costs,
            (sum(investment) over of_three)::double as spent,
            count(*) filter (where investment > 0 and not is_sale and not is_unknown) over earlier as earlier_days,
            (sum(after_costs) filter (where investment > 0 and not is_sale and not is_unknown) over earlier)::double as earlier_after_costs,
            (sum(investment) filter (where investment > 0 and not is_sale and not is_unknown) over earlier)::double as earlier_spent,
            (sum(orders) filter (where investment > 0 and not is_sale and not is_unknown) over earlier)::double as earlier_orders
        from amounts
        window
            of_three as (
                partition by scope, scope_key order by day_on range between interval 2 days preceding and current row
            ),
            earlier as (
                partition by scope, scope_key order by day_on range between interval 58 days preceding and interval 3 days preceding
            )
    ),
    quotients as (
        select
            *,
            case when is_known and spent > 0 then after_costs / spent end as earned,
            case when earlier_days >= 28 then earlier_after_costs / earlier_spent end as expected_earned,
            3 * earlier_orders / nullif(earlier_days, 0) as expected_orders
        from three
        where scope = 'ad'
    ),
    differences as (
        select *, case when expected_earned > 0 then earned / expected_earned - 1 end as difference
        from quotients
    ),
    spread as (
        select
            *,
            case
                when count(difference) over earlier >= 21 then greatest(0, -quantile_cont(difference, 0.1) over earlier / 1.2816)
            end as spread
        from differences
        window earlier as (
            partition by scope_key order by day_on range between interval 56 days preceding and interval 3 days preceding
        )
    ),
    told as (
        select *, coalesce(expected_earned >= 1 and expected_orders >= 10 and 3 * spread <= 0.7, false) as can_tell
        from spread
    )
    select
        told.scope_key,
        told.day_on,
        told.day_on - 2 as first_on,
        told.after_costs - told.spent as actual,
        (expected_earned - 1) * told.spent as expected,
        case
            when spread is not null and difference is not null then
                can_tell
                and earned < 1
                and -difference >= 0.15
                and -difference > 2.7 * spread
                and told.spent - told.after_costs >= 0.01 * whole.spent
        end as is_beyond,
        null::double as least_pct,
        can_tell
    from told
    join three as whole on whole.scope = 'all' and whole.day_on = told.day_on
    join query_table(spans) as spans on spans.figure = 'contribution3' and spans.scope = 'all'
    where told.day_on - 2 >= spans.from_on and told.day_on <= spans.until_on and earned is not null;

-- Days on which more came back than orders say [D227]: refunds of three days are half again as many as those of the same days of the
-- 8 weeks before, for as many orders of the 4 weeks before each, and 2.6 times the root of that number more, or of how far these
-- varied if that is more. In percent of three days' part of these orders. Nothing is beyond where it could not be told from chance
-- that they doubled.
-- Grain: one row per day. `scope_rows`: as of scope_days, of the scope 'all'.
create macro judged_returns(scope_rows, spans) as table
    with
    sums as (
        select
            day_on,
            (sum(returns) over of_three)::double as returns,
            (sum(orders) over of_month)::double as orders
        from query_table(scope_rows)
        where scope = 'all'
        window
            of_three as (order by day_on range between interval 2 days preceding and current row),
            of_month as (order by day_on range between interval 30 days preceding and interval 3 days preceding)
    ),
    -- The orders of a day need the 4 weeks before it.
    whole as (
        select sums.*
        from sums
        join query_table(spans) as spans on spans.figure = 'orders' and spans.scope = 'all'
        where sums.day_on <= spans.until_on and sums.day_on - 30 >= spans.from_on and sums.orders > 0
    ),
    rates as (
        select
            *,
            case when count(*) over alike = 8 then sum(returns) over alike / sum(orders) over alike end as rate,
            sum(returns) over alike as earlier_returns,
            sum(returns * returns / orders) over alike as squares
        from whole
        window alike as (
            partition by isodow(day_on) order by day_on range between interval 56 days preceding and interval 1 day preceding
        )
    ),
    expected as (
        select
            *,
            rate * orders as expected_returns,
            if(rate = 0, 1, greatest(1, (squares / nullif(rate, 0) - earlier_returns) / 7)) as dispersion
        from rates
        where rate is not null
    ),
    told as (
        select *, expected_returns > 0 and 4 * sqrt(dispersion / nullif(expected_returns, 0)) <= 1 as can_tell
        from expected
    )
    select
        null::varchar as scope_key,
        day_on,
        day_on - 2 as first_on,
        100 * safe_divide(returns, orders * 3 / 28) as actual,
        100 * safe_divide(expected_returns, orders * 3 / 28) as expected,
        can_tell
        and returns > 1.5 * expected_returns
        and returns - expected_returns > 2.6 * sqrt(dispersion * expected_returns) as is_beyond,
        100 * greatest(0.5, 4 * sqrt(dispersion / nullif(expected_returns, 0))) as least_pct,
        can_tell
    from told;

-- Sources whose data end more than 2 days before the day before the last of the period: the Explorer's rule.
-- Grain: one row per late source and day that it lacks.
create macro late_sources(sources) as table
    select
        integration_id as scope_key,
        until_on + late_days as day_on,
        until_on + late_days as first_on,
        late_days::double as actual,
        2::double as expected,
        true as is_beyond,
        null::double as least_pct,
        true as can_tell
    from (
        select integration_id, until_on, unnest(generate_series(1, period_end() - 1 - until_on))::integer as late_days
        from query_table(sources)
        where period_end() - 1 - until_on > 2
    );

-- Best sellers that run out [D227]: products with 1 % or more of what their store sold in the 30 days before its stock was read, and whose
-- stock lasts 14 days or fewer at that pace.
-- Grain: one row per product, of the day of the reading.
create macro scarce_products() as table
    with
    stock as (
        select integration_id, product_id, available, timezone('UTC', read_at)::date as read_on
        from inventory
        where state = 'monitored' and available is not null and read_at is not null
    ),
    sold as (
        select
            sales.integration_id,
            sales.product_id,
            stock.read_on,
            stock.available,
            sum(sales.units) as units,
            sum(sales.net_value) as net_value
        from product_sales as sales
        join stock on stock.integration_id = sales.integration_id and stock.product_id = sales.product_id
        where sales.sold_on between stock.read_on - 30 and stock.read_on - 1
        group by all
    ),
    whole as (
        select sales.integration_id, readings.read_on, sum(sales.net_value) as net_value
        from product_sales as sales
        join (select distinct integration_id, read_on from stock) as readings
            on readings.integration_id = sales.integration_id
            and sales.sold_on between readings.read_on - 30 and readings.read_on - 1
        group by all
    )
    select
        sold.product_id as scope_key,
        sold.read_on as day_on,
        sold.read_on as first_on,
        days(safe_divide(sold.available * 30, sold.units)) as actual,
        14::double as expected,
        true as is_beyond,
        null::double as least_pct,
        true as can_tell
    from sold
    join whole on whole.integration_id = sold.integration_id and whole.read_on = sold.read_on
    where sold.units > 0 and sold.net_value >= 0.01 * whole.net_value and sold.available * 30 <= 14 * sold.units;

-- Causes [D96]: an alert and what it is about, from the first day beyond the limit to the third in a row within it; days that
-- were not judged are neither. `judged`: the name of a relation of (alert_no, scope_key, day_on, first_on, actual, expected,
-- is_beyond).
-- Grain: one row per cause. `until_on` is null while it holds; `days`: those beyond; `last_on`, `last_first_on` and the
-- figures: of the last of these.
create macro alert_causes(judged) as table
    with
    numbered as (
        select *, row_number() over (partition by alert_no, scope_key order by day_on) as judged_no
        from query_table(judged)
        where is_beyond is not null
    ),
    beyond as (
        select *, judged_no - lag(judged_no) over (partition by alert_no, scope_key order by day_on) as gap
        from numbered
        where is_beyond
    ),
    grouped as (
        select *, count(*) filter (where gap is null or gap > 3) over (partition by alert_no, scope_key order by day_on) as cause_no
        from beyond
    ),
    causes as (
        select
            alert_no,
            scope_key,
            min(day_on) as from_on,
            min(first_on) as first_on,
            max(day_on) as last_on,
            arg_max(first_on, day_on) as last_first_on,
            count(*) as days,
            arg_max(actual, day_on) as actual,
            arg_max(expected, day_on) as expected,
            max(judged_no) + 3 as end_no
        from grouped
        group by alert_no, scope_key, cause_no
    )
    select causes.* exclude (end_no), ends.day_on as until_on
    from causes
    left join numbered as ends
        on ends.alert_no = causes.alert_no
        and ends.scope_key is not distinct from causes.scope_key
        and ends.judged_no = causes.end_no;

-- Everything that is judged, of the alerts of a relation like alerts_on.
-- Grain: one row per alert, what it is about (`scope_key`) and day.
create macro judged_alerts(alert_rows) as table
    with
    alerts as materialized (from query_table(alert_rows)),
    days as materialized (from alert_days()),
    sources as materialized (from alert_sources()),
    watched as materialized (
        select alert_no, figure, scope, scope_key, over, rule, "value"
        from alerts
        where built_in is null
        union all
        select alert_no, built_in, 'all', null, 'day', null, null
        from alerts
        where built_in in ('investment', 'orders', 'revenue')
        union all
        select -alert_no, 'orders', 'all', null, 'day', null, null
        from alerts
        where built_in = 'spendWithoutSales'
    ),
    needed as (
        select scope, scope_key
        from watched
        union
        select 'all', null
        union
        select distinct 'ad', connector || ':' || campaign_key
        from media_spend
        where spend > 0 and exists (from alerts where built_in = 'campaignLoses')
    ),
    of_days as materialized (from scope_days('needed', 'days')),
    windows as materialized (from scope_windows('of_days')),
    of_figures as (
        select figure, scope, scope_key
        from watched
        union
        select unnest(['orders', 'investment', 'contribution3']), 'all', null
    ),
    spans as materialized (from covered_spans('of_figures', 'sources')),
    expected as materialized (from expected_days('watched', 'windows', 'spans')),
    of_three as (from expected where alert_no between 1 and 99),
    orders_expected as (from expected where alert_no < 0)
    from judged_rules('watched', 'expected')
    union all
    from judged_three('of_three')
    union all
    select alerts.alert_no, judged.*
    from alerts
    cross join judged_spend('orders_expected', 'windows', 'spans') as judged
    where alerts.built_in = 'spendWithoutSales'
    union all
    select alerts.alert_no, judged.*
    from alerts
    cross join judged_campaigns('of_days', 'spans') as judged
    where alerts.built_in = 'campaignLoses'
    union all
    select alerts.alert_no, judged.*
    from alerts
    cross join judged_returns('of_days', 'spans') as judged
    where alerts.built_in = 'returnRate'
    union all
    select alerts.alert_no, judged.*
    from alerts
    cross join late_sources('sources') as judged
    where alerts.built_in = 'lateData'
    union all
    select alerts.alert_no, judged.*
    from alerts
    cross join scarce_products() as judged
    where alerts.built_in = 'stock';

-- What the alerts of the settings, and the built-in ones, judge.
create macro current_judgements() as table
    with
    alerts as materialized (from alerts_on())
    from judged_alerts('alerts');

-- The one alert of a replay: a built-in one, or the rule that the request has.
-- Grain: one row, as of alerts_on.
create macro replayed_alerts() as table
    select
        coalesce(list_position((select list(built_in) from built_in_alerts()), optional_parameter('built_in')), 101)::bigint as alert_no,
        coalesce(optional_parameter('built_in'), optional_parameter('metric')) as name,
        optional_parameter('built_in') as built_in,
        case
            when optional_parameter('built_in') is null then optional_parameter('metric')
            when optional_parameter('built_in') in ('investment', 'orders', 'revenue') then optional_parameter('built_in')
        end as figure,
        case
            when optional_parameter('built_in') is null then
                alert_scope(optional_parameter('channel'), optional_parameter('campaign_id'), optional_parameter('integration_id'))
        end as scope,
        case
            when optional_parameter('built_in') is null then
                coalesce(optional_parameter('channel'), optional_parameter('campaign_id'), optional_parameter('integration_id'))
        end as scope_key,
        case when optional_parameter('built_in') is null then optional_parameter('rule') end as rule,
        case when optional_parameter('built_in') is null then optional_parameter('value')::double end as "value",
        case when optional_parameter('built_in') is null then optional_parameter('over') end as over,
        false as at_once;

create macro replayed_judgements() as table
    with
    alerts as materialized (from replayed_alerts())
    from judged_alerts('alerts');

-- The causes of judgements that began, held or ended in the period.
create macro causes_of_period(judged) as table
    select *
    from alert_causes(judged)
    where from_on <= coalesce(period_end(), 'infinity'::date)
        and coalesce(until_on, 'infinity'::date) >= coalesce(period_start(), '-infinity'::date);

-- Causes as answers have them, with what the data say of their days. `alert_rows`, `cause_rows`: names of relations as of alerts_on and
-- alert_causes.
-- Grain: one row per cause.
create macro shown_causes(alert_rows, cause_rows) as table
    with
    causes as materialized (from query_table(cause_rows)),
    -- Of causes that are judged by days.
    dated as (
        select causes.*
        from causes
        join query_table(alert_rows) as alerts on alerts.alert_no = causes.alert_no
        where alerts.built_in is null or alerts.built_in not in ('lateData', 'stock')
    ),
    campaign_spend as (
        select
            dated.alert_no, dated.scope_key, dated.from_on,
            spends.connector, spends.campaign_key,
            sum(spends.spend) filter (where spends.spent_on < dated.first_on) as spend_before,
            coalesce(sum(spends.spend) filter (where spends.spent_on >= dated.first_on), 0) as spend_after
        from dated
        join media_spend as spends on spends.spent_on between dated.first_on - 7 and dated.from_on
        group by all
    ),
    -- Campaigns with a part of 5 % or more of the spend of the week before that have none since.
    ended as (
        select
            spends.alert_no, spends.scope_key, spends.from_on,
            list(
                coalesce(campaigns.campaign_name, spends.campaign_key)
                order by spends.spend_before desc, spends.connector, spends.campaign_key
            ) as ended_campaigns
        from (
            select *, sum(spend_before) over (partition by alert_no, scope_key, from_on) as whole_before
            from campaign_spend
        ) as spends
        left join campaigns on campaigns.connector = spends.connector and campaigns.campaign_key = spends.campaign_key
        where spends.spend_before >= 0.05 * spends.whole_before and spends.spend_before > 0 and spends.spend_after = 0
        group by all
    ),
    -- Stores with orders in the week before and none on the days beyond.
    silent as (
        select
            days.alert_no, days.scope_key, days.from_on,
            list(coalesce(integrations.integration_name, integrations.connector) order by integrations.position) as silent_stores
        from (
            select
                dated.alert_no, dated.scope_key, dated.from_on, stores.integration_id,
                count(*) filter (where stores.ordered_on < dated.first_on) as days_before,
                count(*) filter (where stores.ordered_on >= dated.first_on) as days_since
            from dated
            join daily_store_orders as stores on stores.ordered_on between dated.first_on - 7 and dated.from_on
            group by all
        ) as days
        join integrations on integrations.integration_id = days.integration_id
        where days.days_before > 0 and days.days_since = 0
        group by all
    ),
    noted as (
        select dated.alert_no, dated.scope_key, dated.from_on, list(distinct notes.note_text order by notes.note_text) as notes
        from dated
        join noted_spans() as notes on notes.from_on <= dated.last_on and notes.until_on >= dated.first_on
        group by all
    )
    select
        alerts.alert_no,
        causes.scope_key,
        causes.from_on,
        alerts.name as alert,
        alerts.built_in is not null as "builtIn",
        alerts.figure,
        case when alerts.scope = 'channel' then causes.scope_key end as channel,
        case
            when alerts.scope = 'campaign' then causes.scope_key
            when alerts.built_in = 'campaignLoses' then substr(causes.scope_key, strpos(causes.scope_key, ':') + 1)
        end as "campaignId",
        case when alerts.built_in = 'campaignLoses' then split_part(causes.scope_key, ':', 1) end as connector,
        case when alerts.scope = 'store' or alerts.built_in = 'lateData' then causes.scope_key end as "integrationId",
        case when alerts.built_in = 'stock' then causes.scope_key end as "productId",
        case
            when alerts.scope = 'channel' then channel_label(causes.scope_key)
            when alerts.scope = 'campaign' then
                coalesce(
                    (select min(campaign_name) from campaigns where campaigns.campaign_key = causes.scope_key), causes.scope_key
                )
            when alerts.built_in = 'campaignLoses' then
                coalesce(
                    (
                        select min(campaign_name) from campaigns
                        where campaigns.connector || ':' || campaigns.campaign_key = causes.scope_key
                    ),
                    substr(causes.scope_key, strpos(causes.scope_key, ':') + 1)
                )
            when alerts.scope = 'store' or alerts.built_in = 'lateData' then
                (
                    select min(coalesce(integration_name, connector)) from integrations
                    where integrations.integration_id = causes.scope_key
                )
            when alerts.built_in = 'stock' then
                coalesce((select min(name) from products where products.product_id = causes.scope_key), causes.scope_key)
        end as label,
        alerts.rule,
        alerts."value",
        case causes.last_on - causes.last_first_on when 0 then 'day' when 2 then 'threeDays' else 'week' end as over,
        alerts.at_once as "atOnce",
        causes.from_on as since,
        causes.until_on as until,
        causes.days,
        causes.last_first_on as "from",
        causes.last_on as "to",
        average(causes.actual) as actual,
        average(causes.expected) as expected,
        percentage(100 * safe_divide(causes.actual - causes.expected, abs(causes.expected))) as "changePct",
        array_to_string(noted.notes, '; ') as notes,
        array_to_string(ended.ended_campaigns, '; ') as "endedCampaigns",
        array_to_string(silent.silent_stores, '; ') as "silentStores"
    from causes
    join query_table(alert_rows) as alerts on alerts.alert_no = causes.alert_no
    left join noted
        on noted.alert_no = causes.alert_no
        and noted.scope_key is not distinct from causes.scope_key
        and noted.from_on = causes.from_on
    left join ended
        on ended.alert_no = causes.alert_no
        and ended.scope_key is not distinct from causes.scope_key
        and ended.from_on = causes.from_on
    left join silent
        on silent.alert_no = causes.alert_no
        and silent.scope_key is not distinct from causes.scope_key
        and silent.from_on = causes.from_on;
