-- What this engine writes differently.

--- table
table

--- in_order: columns
engine = MergeTree order by ({{1}})

--- instant
DateTime('UTC')

--- millisecond
DateTime64(3, 'UTC')

--- label
LowCardinality(String)

--- steps: name | last
array join range(toUInt32({{2}} + 1)) as {{1}}

--- rows_of_figures: rows
array join [{{1}}]::Array(Tuple(name String, decimals UInt8, figure Nullable(Float64))) as listed

--- store
(select tuple(store_no, last_landed_at, has_returns) from stores where integration_id = $integration_id) as store,
store.1 as asked_store_no,
store.2 as asked_last_landed_at,
store.3 as asked_has_returns,
least($today, toDate(store.2)) as asked_as_of_on

--- product
{{store}},
(select product_no from products where store_no = asked_store_no and product_id = $product_id) as asked_product

--- of_store: column
asked_{{1}}

--- product_no
asked_product

--- of_product
store_no = {{of_store: store_no}} and product_no = {{product_no}}

--- cells: keys | last step
-- Every step up to the horizon, with or without purchases.
cells as (

    select
        *,
        arrayMap(no -> toInt32(no), range(toUInt32({{2}} + 1))) as all_steps,
        arrayMap(no -> indexOf(steps, no), all_steps) as places,
        arrayMap(place -> ratio(per(step_customers[place], step_0_customers)), places) as pct,
        arrayMap(place -> step_customers[place], places) as absolute,
        arrayMap(place -> amount(step_revenue[place] * margin_rate), places) as complementary,
        arrayMap((step, place) -> if(step > 0, amount(step_repeat_revenue[place]), null), all_steps, places) as repurchase_revenue
    from (
        select
            {{1}},
            groupArray(step) as steps,
            groupArray(active_cells.customers) as step_customers,
            groupArray(active_cells.revenue) as step_revenue,
            groupArray(repeat_revenue) as step_repeat_revenue,
            sum(active_cells.revenue) as revenue,
            sum(direct_revenue) as direct_revenue,
            sumIf(active_cells.revenue, step = 0) as step_0_revenue,
            sumIf(active_cells.customers, step = 0) as step_0_customers
        from active_cells
        group by {{1}}
    ) as lists
    cross join organization

)

--- count_sales
count(*) as sales

--- count_orders
groupBitmap(order_no) as orders

--- distinct: columns
select distinct on ({{1}}) {{1}}

--- sold: key | join | condition | count
sold as (

    select
        {{1}},
        {{count_{{4}}}},
        groupBitmapIf(customer_no, customer_no <> 0 and is_recurring) as recurring_customers,
        {{sums}}
    from product_sales
    {{2}}
    where {{3}} and {{in_period: sold_on}}
    group by {{1}}

)

--- bought_together
orders_with_product as (

    select order_no
    from product_sales
    where {{of_product}} and {{in_year: sold_on}}

),

related as (

    select
        product_no,
        count(*) as of_its_own,
        countIf(order_no in (select order_no from orders_with_product)) as together,
        (select count(*) from orders_with_product) as with_product,
        (select count(*) from sales where store_no = {{of_store: store_no}} and {{in_year: sold_on}}) as in_all
    from product_sales
    where store_no = {{of_store: store_no}} and {{in_year: sold_on}} and product_no <> {{product_no}}
    group by product_no
    having together > 0

)

--- bought_after
bought as (

    select distinct customer_no, purchased_at
    from product_sales
    where {{of_product}} and {{in_year: sold_on}} and customer_no <> 0

),

-- A buyer's purchases in turn, each with the next one.
purchases as (

    select
        customer_no,
        purchased_at,
        leadInFrame(toNullable(purchased_at)) over (
            partition by customer_no order by purchased_at rows between unbounded preceding and unbounded following
        ) as next_purchased_at
    from (
        select distinct customer_no, purchased_at
        from sales
        where store_no = {{of_store: store_no}} and {{in_year: sold_on}} and customer_no in (select customer_no from bought)
    ) as once

),

next_purchases as (

    select customer_no, assumeNotNull(next_purchased_at) as next_at
    from purchases
    where next_purchased_at is not null and (customer_no, purchased_at) in (select customer_no, purchased_at from bought)

),

related as (

    select
        product_no,
        groupBitmap(customer_no) as of_its_own,
        groupBitmapIf(customer_no, (customer_no, purchased_at) in (select customer_no, next_at from next_purchases)) as together,
        (select groupBitmap(customer_no) from bought) as with_product,
        (
            select groupBitmap(customer_no)
            from sales
            where store_no = {{of_store: store_no}} and {{in_year: sold_on}} and customer_no <> 0
        ) as in_all
    from product_sales
    where store_no = {{of_store: store_no}}
        and {{in_year: sold_on}}
        and customer_no <> 0
        and product_no <> {{product_no}}
    group by product_no
    having together > 0

)

--- materialized
