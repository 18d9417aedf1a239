-- Cohorts by an attribute of the first purchase [D30]: the value, the spend, and the rows that fit into an answer. Cohorts and
-- payback curves share them.
-- Parameters: start_date, end_date, break_by.

-- The value of the dimension that cohorts are broken down by; null without one.
create macro breakdown_value(channel, campaign_key, coupon) as
    case break_by()
        when 'origem' then channel
        when 'campanha' then campaign_key
        when 'cupom' then coupon
        else unknown_choice('break_by', break_by())
    end;

-- The value of a dimension: 'channel', 'campaign', or 'all', which has one.
create macro of_dimension(dimension, channel, campaign_key) as
    case dimension
        when 'channel' then channel
        when 'campaign' then campaign_key
        when 'all' then null
        else unknown_choice('dimension', dimension)
    end;

-- Distinguishes values with the same key: one campaign id of two connectors is two campaigns [D13].
create macro breakdown_source(campaign_connector) as
    case when break_by() = 'campanha' then campaign_connector end;

-- Whether a value has spend: a channel of a connector, a campaign that landed. Others have none in any store [D86].
create macro breakdown_has_spend(source, break_key) as
    case break_by()
        when 'origem' then has_spend(break_key)
        when 'campanha' then source is not null
        else unknown_choice('break_by', break_by())
    end;

-- The spend of the customers acquired in each `unit`, a part of the calendar that date_trunc takes.
create macro spend_by_cohort(unit) as table
    select date_trunc(unit, day_on)::date as cohort_on, sum(investment) as investment
    from analysed_totals()
    where is_in_period(day_on)
    group by all;

-- The same by channel or campaign, which have spend of their own.
create macro spend_by_cohort_and_source(unit) as table
    select
        date_trunc(unit, spent_on)::date as cohort_on,
        breakdown_source(connector) as source,
        -- The channel of spend has the name of its connector [D15].
        breakdown_value(connector, campaign_key, null) as break_key,
        sum(spend) as investment
    from analysed_spend()
    where is_in_period(spent_on)
    group by all;

-- The most cells of an answer, which is held in memory. A file of all rows is not.
create macro most_cells() as case when wants_all() then 9_223_372_036_854_775_807 else 1_000_000 end;

-- Those of `cohorts` that fit, by their number of `cells`: of too many, the rows with the most customers remain, the same
-- number of rows in every cohort.
create macro fitting_cohorts(cohorts) as table
    with
    ranked as materialized (
        select
            *,
            row_number() over (partition by cohort_on order by customers desc, break_key, source) as rank_no
        from query_table(cohorts)
    ),
    fitting as (
        select max(rank_no) as last_rank
        from (select rank_no, sum(sum(cells)) over (order by rank_no) as cells from ranked group by rank_no)
        where cells <= most_cells()
    )
    select
        ranked.* exclude (cells, rank_no),
        (select count(*) from ranked cross join fitting where rank_no > last_rank) as rows_left_out
    from ranked
    cross join fitting
    where rank_no <= last_rank;
