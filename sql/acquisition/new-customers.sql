-- New customers over time, by the channel of their first order.
-- Grain: one row per day, or per month cut to the period when it is longer than 92 days; gaps included.
-- Parameters: start_date, end_date (inclusive), integration_id, channel (filters; both may be missing).
-- Follows [D15], [D28], [D32], [D86].

select
    points.point_on as "date",
    count(customers.customer_no) as "newCustomers",
    {
        searchads: count(*) filter (where customers.channel = 'searchads'),
        socialads: count(*) filter (where customers.channel = 'socialads'),
        organic_search: count(*) filter (where customers.channel = 'organic_search'),
        organic_social: count(*) filter (where customers.channel = 'organic_social'),
        email: count(*) filter (where customers.channel = 'email'),
        affiliate: count(*) filter (where customers.channel = 'affiliate'),
        referral: count(*) filter (where customers.channel = 'referral'),
        direct: count(*) filter (where customers.channel = 'direct'),
        other: count(*) filter (where customers.channel = 'other'),
        unknown: count(*) filter (where customers.channel = 'unknown')
    } as channels
from covered_steps(granularity()) as points
left join analysed_customers() as customers on customers.first_on between points.first_on and points.last_on
group by points.point_on
order by points.point_on
