-- The functions of the other engine, by the same names.

-- Half away from zero, which is not how the engine rounds binary numbers; the missing last digits of a quotient are added.
create function rounded as (figure, decimals) -> sign(figure) * floor(abs(exact(figure)) * exp10(decimals) + 0.500001) / exp10(decimals);
create function amount as figure -> sign(figure) * floor(abs(exact(figure)) * 100 + 0.500001) / 100;
create function ratio as quotient -> sign(quotient) * floor(abs(quotient) * 10000 + 0.500001) / 10000;
-- Quotients are of binary numbers: a decimal one would be cut off.
create function exact as figure -> toFloat64(figure);
create function per as (dividend, divisor) -> if(divisor = 0, null, toFloat64(dividend) / toFloat64(divisor));
create function change as (figure, previous) -> amount(100 * per(toFloat64(figure) - toFloat64(previous), previous));
create function instant_text as instant -> replaceOne(toString(toDateTime64(instant, 3, 'UTC')), ' ', 'T') || 'Z';
create function month_of as day -> toStartOfMonth(day);
create function months_after as (day, months) -> addMonths(day, months);
create function months_between as (day, later) -> dateDiff('month', day, later);
create function whole as (dividend, divisor) -> intDiv(dividend, divisor);
create function block_reason as (as_of, asked_at, has_base, reason) ->
    multiIf(as_of < asked_at - interval 24 hour, 'stale_source', not has_base, reason, null);
create function block_state as reason -> multiIf(reason is null, 'ready', reason = 'stale_source', 'stale', 'no_base');
create function channel_label as channel -> transform(
    toString(channel),
    ['searchads', 'socialads', 'organic_search', 'organic_social', 'email', 'affiliate', 'referral', 'direct'],
    ['Busca paga', 'Social pago', 'Busca orgânica', 'Social orgânico', 'E-mail', 'Afiliados', 'Referência', 'Direto'],
    'Outros'
);
