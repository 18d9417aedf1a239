-- The switches of the cohort analysis.
-- Parameters: start_date, end_date, group_by, break_by.

-- Whether a cohort is broken down by what the first purchase held: its customers then enter several rows.
create macro is_by_purchase() as coalesce(getvariable('p').break_by, '') in ('produto', 'categoria');

-- Whether the days of cohort_days add up to the cohorts asked for: who bought in two months of a quarter counts once.
create macro is_of_days() as getvariable('p').group_by = 'month' and not is_by_purchase();

-- The value of the dimension that cohorts are broken down by.
create macro break_of(channel, campaign_key, coupon) as
    case getvariable('p').break_by
        when 'origem' then channel
        when 'campanha' then campaign_key
        when 'cupom' then coupon
    end;

-- What distinguishes values with one key: one campaign id of two connectors is two campaigns [D13].
create macro break_source_of(campaign_connector) as
    case when getvariable('p').break_by = 'campanha' then campaign_connector end;

-- Whether a first order lies in the period.
create macro is_won_in_period(first_on) as
    first_on between coalesce(period_start(), '-infinity'::date) and coalesce(period_end(), 'infinity'::date);

-- How many months a cohort's steps have [D30].
create macro step_months() as case getvariable('p').group_by when 'year' then 12 when 'quarter' then 3 else 1 end;
