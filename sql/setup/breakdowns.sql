-- Cohorts by attributes of the first purchase [D30], [D87]: their values, the spend of these, and the rows that fit into an answer.
-- Cohorts and payback curves share them. `break_key` and `source` (`named_values.sql`) are null without a breakdown.
-- Parameters: start_date, end_date, break_by (an attribute, or two with a comma between them), integration_id, channel.

-- The attributes that cohorts are broken down by.
create macro broken_by() as
    one_or_two('break_by', list_transform(string_split(nullif(break_by(), ''), ','), lambda name: cohort_attribute(name)));
create macro is_broken_by(attribute) as coalesce(list_contains(broken_by(), attribute), false);

-- Whether the values are those of lines, are in the daily sums, have spend.
create macro is_broken_by_lines() as coalesce(list_has_any(broken_by(), attributes_of_lines()), false);
create macro is_of_sums() as coalesce(list_has_all(attributes_of_sums(), broken_by()), true);
create macro has_spend_of_values() as coalesce(list_has_all(attributes_with_spend(), broken_by()), true);

-- Those of the attributes of cohorts.
create macro value_columns() as
    coalesce(columns_of(broken_by()), 'null::varchar[] as break_key, null::varchar[] as source');

-- What distinguishes rows with the same keys, as a text: of a pair both halves. Null where it is of none.
create macro sources_text(source) as
    if(len(source) = 2, coalesce(source[1], '') || '|' || coalesce(source[2], ''), source[1]);

-- The first orders of the customers acquired in the period who pass the filters [D86], with the products of the first purchase.
-- Grain: one row per customer, product and brand; one of a customer without products.
create macro first_lines() as table
    select
        orders.*,
        bought.integration_id as line_store_id,
        bought.product_id,
        bought.brand_key,
        products.category_id
    from orders
    left join first_purchases as bought on bought.customer_no = orders.customer_no
    left join products on products.integration_id = bought.integration_id and products.product_id = bought.product_id
    where orders.is_first
        -- A purchase without products has no product or category, but all else, with the brand null.
        and (bought.product_id is not null or not list_has_any(broken_by(), attributes_of_products()));

-- The customers acquired in the period, with their values.
-- Grain: one row per customer and value.
create macro cohort_members() as table
    from query(
        'select distinct customer_no, ' || value_columns()
        || ' from ' || if(is_broken_by_lines(), 'first_lines()', 'orders')
        || ' where is_first and is_in_period(first_on) and passes_filters(first_integration_id, first_channel)'
    );

-- What the customers acquired on a day bought by month since, as daily_cohorts.
-- Grain: one row per day of the first order, value and month since.
create macro purchases_of_sums() as table
    from query(
        'select *, ' || value_columns() || ' from '
        || if(is_broken_by('store'), 'filtered_cohorts()', 'analysed_cohorts()')
    );
create macro purchases_of_members() as table
    select
        months.first_on,
        months.first_month,
        months.month_no,
        members.break_key,
        members.source,
        count(*) as customers,
        count(*) filter (where months.is_first_in_quarter) as quarter_customers,
        count(*) filter (where months.is_first_in_year) as year_customers,
        count(*) filter (where months.is_first_repeat) as repurchase_customers,
        sum(months.revenue) as revenue,
        or_zero(sum(months.direct_revenue)) as direct_revenue,
        or_zero(sum(months.repeat_revenue)) as repeat_revenue,
        sum(thousands_of_square(months.revenue, months.earlier_revenue))::decimal(38, 0) as square_thousands,
        sum(rest_of_square(months.revenue, months.earlier_revenue))::decimal(38, 0) as square_rest
    from cohort_members() as members
    join customer_months as months on months.customer_no = members.customer_no
    group by all;
create macro cohort_purchases() as table
    from query(if(is_of_sums(), 'from purchases_of_sums()', 'from purchases_of_members()'));

-- The spend of the customers acquired in each `unit`, a part of the calendar that date_trunc takes.
create macro spend_by_cohort(unit) as table
    select date_trunc(unit, day_on)::date as cohort_on, sum(investment) as investment
    from analysed_totals()
    where is_in_period(day_on)
    group by all;

-- The stores, and whether their spend is known [D86].
create macro stores_with_knowledge() as table
    select
        stores.integration_id as store_id,
        coalesce(bool_and(coalesce(len(accounts.stores) = 1, false)) filter (where accounts.integration_id is not null), true) as is_known
    from integrations as stores
    left join integrations as accounts
        on accounts.kind = 'ads' and coalesce(list_contains(accounts.stores, stores.integration_id), true)
    where stores.kind = 'store'
    group by stores.integration_id;

-- Spend with the columns of attributes that have it. The channel of spend has the name of its connector [D15]. `integration_id` is the
-- store that the ad account names alone; null if the store's spend is not known.
create macro spend_with_attributes() as table
    select
        spend.spent_on,
        spend.spend,
        spend.connector as channel,
        spend.connector as campaign_connector,
        spend.campaign_key,
        stores.store_id as integration_id
    from analysed_spend() as spend
    left join integrations as accounts
        on accounts.integration_id = spend.integration_id and accounts.kind = 'ads' and len(accounts.stores) = 1
    left join (from stores_with_knowledge() where is_known) as stores on stores.store_id = accounts.stores[1];

-- The spend of each value on each day.
create macro spend_of_values() as table
    from query('select spent_on, spend, ' || value_columns() || ' from spend_with_attributes()');

create macro spend_by_cohort_and_value(unit) as table
    select date_trunc(unit, spent_on)::date as cohort_on, break_key, source, sum(spend) as investment
    from spend_of_values()
    where is_in_period(spent_on)
    group by all;

-- `rows`, the name of a relation, with the names of their values, and whether their spend is known: that of the store of the filter and
-- that of the row's; 0 is known.
create macro shown_rows(rows) as table
    select
        named.* exclude (lacks_spend),
        lacks_spend
        or filtered_channel() is not null and not has_spend(filtered_channel())
        or knowledge.is_known and coalesce(stores.is_known, true) as has_known_spend
    from named_rows(rows, broken_by()) as named
    left join stores_with_knowledge() as stores
        on is_broken_by('store') and stores.store_id = named.break_key[list_position(broken_by(), 'store')]
    cross join spend_knowledge() as knowledge;

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
