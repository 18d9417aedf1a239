-- Rounding [D8]: only in the last projection, half away from zero. Each macro has a tolerance that is larger than the error
-- of its argument if the exact value is a half, and smaller than the distance of any other value from a half. It names its
-- argument once: an argument is an expression, which is planned as often as it is named.

-- A sum of amounts is DECIMAL. Shares of lines in it are truncated to 18 decimals: rounding to 10 restores the exact half.
create macro rounded_sum(amount) as round(round(amount, 10), 2);
create macro money(amount) as rounded_sum(amount)::double;
-- The same, for answers of many rows: the engine rounds decimals of up to 18 digits at a thirtieth of the cost. An amount that
-- does not fit is rounded as elsewhere. It names its argument twice, so that its plan takes longer.
create macro row_money(amount) as
    coalesce(round(try_cast(amount as decimal(18, 10)), 2)::double, money(amount));
create macro rounded_count(number) as round(number, 0)::bigint;

-- A quotient is DOUBLE. Adding 0 removes the sign of a negative zero.
create macro rounded(quotient, digits) as round(quotient * 1.000000000000001::double, digits) + 0;
create macro average(quotient) as rounded(quotient, 2);
create macro ratio(quotient) as rounded(quotient, 4);
-- A change, or a remainder of 100 %, is a difference of quotients: its error does not shrink with it, but is below 1e-12.
create macro percentage(percent) as rounded(round(percent, 12), 2);
-- A bound of an interval is a difference of quotients, too.
create macro bound(quotient) as rounded(round(quotient, 10), 2);
create macro months(number_of_months) as rounded(number_of_months, 2);
create macro days(number_of_days) as rounded(number_of_days, 2);

create macro millionths(amount) as (amount::decimal(24, 6) * 1000000::decimal(7, 0))::hugeint;

-- What a month's revenue adds to the square of the revenue before it, exactly, in millionths squared: thousands × 1e9 + rest.
-- (earlier + revenue)² - earlier² = revenue × (2 × earlier + revenue)
create macro thousands_of_square(revenue, earlier) as millionths(revenue) * (millionths(2 * earlier + revenue) // 1000000000);
create macro rest_of_square(revenue, earlier) as millionths(revenue) * (millionths(2 * earlier + revenue) % 1000000000);

-- The share of an amount that falls on some of its units, truncated to 18 decimals. `money`
-- compensates for the truncation, so that sums of shares round like the exact sums [D8].
create macro part_of(amount, units, all_units) as
    case
        when units = all_units then amount
        else millionths(amount) * units // all_units * 0.000001::decimal(7, 6)
            + millionths(amount) * units % all_units * 1000000000000 // all_units * 0.000000000000000001::decimal(19, 18)
    end::decimal(38, 18);

-- The share of an amount that falls on a part of a whole of which both are amounts: to 18 decimals, if the part and the whole have at
-- most 12; null of a whole of 0.
create macro in_trillionths(amount) as (amount::decimal(24, 12) * 1000000000000::decimal(13, 0))::hugeint;
create macro share_of(amount, part, whole) as
    case
        when whole = 0 then null
        when part = whole then amount
        else millionths(amount)
            * (
                in_trillionths(part) * 1000000000 // in_trillionths(whole) * 1000000000
                + in_trillionths(part) * 1000000000 % in_trillionths(whole) * 1000000000
                    // in_trillionths(whole)
            )
            // 1000000 * 0.000000000000000001::decimal(19, 18)
    end::decimal(38, 18);

-- Parts of a total rounded to the cent; what that leaves over of it goes to the largest, the first of equals.
create macro with_leftover(rounded_parts, total) as list_transform(
    rounded_parts,
    lambda part, no: part + case
        when no = list_position(
            list_transform(rounded_parts, lambda one: abs(one)),
            list_max(list_transform(rounded_parts, lambda one: abs(one)))
        ) then total - list_sum(rounded_parts) else 0
    end
);
create macro settled(parts, total) as
    with_leftover(list_transform(parts, lambda part: rounded_sum(part)), total);
-- An equal part of a total in millionths, rounded half away from zero: the remainder goes to the last part [D10].
create macro even_part(total, parts) as
    ((sign(total) * ((2 * abs(millionths(total)) + parts) // (2 * parts)))::decimal(24, 0)
        * 0.000001::decimal(7, 6))::decimal(18, 6);

-- The part of a total that falls on one of some days: the last one has the remainder [D10]. The only day of most has all of it,
-- without a division.
create macro day_part(total, day_no, days) as
    case
        when days = 1 then total::decimal(18, 6)
        when day_no < days - 1 then even_part(total, days)
        else (total - even_part(total, days) * (days - 1))::decimal(18, 6)
    end;

