-- The switches of the cohort analysis.
-- Parameters: start_date, end_date, group_by, break_by.

-- Whether cohorts are broken down by the products of the first purchase: a customer is then in several rows.
create macro breaks_by_product() as coalesce(break_by(), '') in ('produto', 'categoria');

-- Whether the daily rollups can be summed to the requested cohorts. Over quarters they cannot: a customer who bought in
-- two months of a quarter counts once.
create macro uses_daily_rollup() as group_by() = 'month' and not breaks_by_product();

-- The value of the dimension that cohorts are broken down by.
create macro breakdown_value(channel, campaign_key, coupon) as
    case break_by()
        when 'origem' then channel
        when 'campanha' then campaign_key
        when 'cupom' then coupon
    end;

-- Distinguishes values with the same key: one campaign id of two connectors is two campaigns [D13].
create macro breakdown_source(campaign_connector) as
    case when break_by() = 'campanha' then campaign_connector end;

-- Whether the values of the breakdown have spend, and the dimension of their paybacks.
create macro breakdown_has_spend() as coalesce(break_by(), 'origem') in ('origem', 'campanha');
create macro breakdown_dimension() as case break_by() when 'origem' then 'channel' when 'campanha' then 'campaign' end;

-- The number of months in a step of a cohort [D30].
create macro step_months() as case group_by() when 'year' then 12 when 'quarter' then 3 else 1 end;

-- Cohorts from the daily rollups.
-- Grain: one row per cohort and breakdown value; none when the rollups cannot be summed.
create macro rollup_cohorts() as table
    select
        first_month as cohort_on,
        breakdown_source(campaign_connector) as source,
        breakdown_value(channel, campaign_key, coupon) as break_key,
        sum(customers)::bigint as customers,
        sum(repurchase_customers)::bigint as repurchase_customers
    from daily_acquisitions
    where is_in_period(first_on)
        and uses_daily_rollup()
    group by all;

-- Purchases of those customers, by month since.
-- Grain: one row per cohort, breakdown value and step with an order; none when the rollups cannot be summed.
create macro rollup_cohort_cells() as table
    select
        first_month as cohort_on,
        breakdown_source(campaign_connector) as source,
        breakdown_value(channel, campaign_key, coupon) as break_key,
        month_no as step_no,
        sum(customers)::bigint as customers,
        sum(revenue) as revenue,
        sum(direct_revenue) as direct_revenue,
        sum(repeat_revenue) as repeat_revenue
    from daily_cohorts
    where is_in_period(first_on)
        and uses_daily_rollup()
    group by all;

-- Customers acquired in the period, when the daily rollups cannot be summed.
-- Grain: one row per customer and breakdown value.
create macro cohort_entries() as table
    select
        customer_no,
        date_trunc(group_by(), first_on)::date as cohort_on,
        breakdown_source(campaign_connector) as source,
        breakdown_value(channel, campaign_key, coupon) as break_key,
        has_repurchased
    from customers
    where is_in_period(first_on)
        and not uses_daily_rollup()
        and not breaks_by_product()

    union all

    select
        bought.customer_no,
        date_trunc(group_by(), bought.first_on)::date,
        -- One id in two stores is two rows, as one campaign id of two connectors is; products without a category are one
        -- row for all stores.
        case
            when break_by() = 'produto' or products.category_id is not null then bought.integration_id
        end as source,
        case break_by()
            when 'produto' then bought.product_id
            else coalesce(products.category_id, 'uncategorized')
        end as break_key,
        any_value(customers.has_repurchased)
    from first_purchases as bought
    join customers on customers.customer_no = bought.customer_no
    left join products
        on products.integration_id = bought.integration_id and products.product_id = bought.product_id
    where is_in_period(bought.first_on)
        and breaks_by_product()
    group by bought.customer_no, bought.first_on, source, break_key;

-- Purchases of each customer in each step, when the daily rollups cannot be summed.
-- Grain: one row per customer and step with an order.
create macro customer_steps() as table
    select customer_no, month_no as step_no, revenue, direct_revenue, repeat_revenue
    from customer_months
    where is_in_period(first_on)
        and group_by() = 'month'
        and not uses_daily_rollup()

    union all

    select
        customer_no,
        date_diff(
            'month',
            date_trunc(group_by(), first_on)::date,
            date_trunc(group_by(), bought_month)::date
        ) // step_months() as step_no,
        sum(revenue),
        sum(direct_revenue),
        sum(repeat_revenue)
    from customer_months
    where is_in_period(first_on)
        and group_by() <> 'month'
    group by customer_no, step_no;
