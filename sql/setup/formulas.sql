-- The formulas, each defined once. They return unrounded values.

-- a / b; null when b is 0 or null. Where a rule requires 0 instead, the caller adds `or_zero`.
create macro safe_divide(a, b) as a::double / nullif(b, 0)::double;
create macro or_zero(figure) as coalesce(figure, 0);

-- Acquisition cost: media spend per new customer.
create macro cac(investment, new_customers) as safe_divide(investment, new_customers);

-- Lifetime value: margin of the revenue to date, per customer [D25].
create macro ltv(revenue_to_date, margin_rate, customers) as safe_divide(revenue_to_date * margin_rate, customers);

-- Return on investment.
create macro roi(contribution, investment) as safe_divide(contribution - investment, investment);

-- Contribution: from the real cost where it is known, otherwise from the configured margin [D17].
create macro blended_contribution(revenue_with_cost, cost, revenue_without_cost, margin_rate) as
    revenue_with_cost - cost + revenue_without_cost * margin_rate;

-- The basis of a period's margin [D17].
create macro margin_basis(revenue, revenue_with_cost, margin_is_configured) as
    case
        when revenue = 0 then 'no_basis'
        when revenue_with_cost = revenue then 'cmv_real'
        when revenue_with_cost <> 0 then 'mixed'
        when margin_is_configured then 'configured_percent'
        else 'no_basis'
    end;

-- Percentage change; null when there is nothing to compare with.
create macro change(current_figure, previous_figure) as
    100 * (current_figure - previous_figure)::double / nullif(previous_figure, 0)::double;

-- The rounded changes of figures by name: two maps with the same names, in the same order.
create macro changes(current_figures, previous_figures) as map(
    map_keys(current_figures),
    list_transform(
        list_zip(map_values(current_figures), map_values(previous_figures)),
        lambda figures: percentage(change(figures[1], figures[2]))
    )
);

create macro instant_text(instant) as strftime(instant, '%Y-%m-%dT%H:%M:%S.%gZ');
