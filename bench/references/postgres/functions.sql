-- Functions that the planner replaces by their bodies.

create function per(dividend numeric, divisor numeric) returns numeric language sql immutable parallel safe
    return dividend / nullif(divisor, 0);
create function exact(figure numeric) returns numeric language sql immutable parallel safe
    return figure;
create function rounded(figure numeric, decimals int) returns numeric language sql immutable parallel safe
    return round(round(figure, 8), decimals);
create function amount(figure numeric) returns numeric language sql immutable parallel safe
    return round(round(figure, 8), 2);
create function ratio(quotient numeric) returns numeric language sql immutable parallel safe
    return round(round(quotient, 8), 4);
create function change(figure numeric, previous numeric) returns numeric language sql immutable parallel safe
    return round(round(100 * (figure - previous) / nullif(previous, 0), 8), 2);
create function instant_text(instant timestamp) returns text language sql immutable parallel safe
    return to_char(instant, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create function month_of(day date) returns date language sql immutable parallel safe
    return date_trunc('month', day::timestamp)::date;
create function months_after(day date, months int) returns date language sql immutable parallel safe
    return (day + make_interval(months => months))::date;
create function months_between(day date, later date) returns int language sql immutable parallel safe
    return 12 * (extract(year from later) - extract(year from day)) + extract(month from later) - extract(month from day);
create function whole(dividend int, divisor int) returns int language sql immutable parallel safe
    return dividend / divisor;

-- Why a block is not ready; null if it is.
create function block_reason(as_of timestamp, asked_at timestamp, has_base boolean, reason text)
    returns text language sql immutable parallel safe
    return case when as_of < asked_at - interval '24 hours' then 'stale_source' when not has_base then reason end;
create function block_state(reason text) returns text language sql immutable parallel safe
    return case when reason is null then 'ready' when reason = 'stale_source' then 'stale' else 'no_base' end;

create function channel_label(channel text) returns text language sql immutable parallel safe
    return case channel
        when 'searchads' then 'Busca paga'
        when 'socialads' then 'Social pago'
        when 'organic_search' then 'Busca orgânica'
        when 'organic_social' then 'Social orgânico'
        when 'email' then 'E-mail'
        when 'affiliate' then 'Afiliados'
        when 'referral' then 'Referência'
        when 'direct' then 'Direto'
        else 'Outros'
    end;
