-- What the mappings of vendors' objects share; ids stay text [V0.1]. A value that cannot be converted stays as it is: the check of its
-- type then refuses the row with the value named, instead of a silent null.

-- Text without surrounding white space; null when nothing is left. Most text has none, and trimming costs ten times as
-- much as looking at its ends.
create macro filled(value) as
    case
        when value between '!' and '~' and not (
            suffix(value, ' ') or suffix(value, e'\t') or suffix(value, e'\r') or suffix(value, e'\n')
            or suffix(value, chr(160))
        ) then value
        else nullif(trim(value, e' \t\r\n' || chr(160)), '')
    end;

-- Cents as text -> currency units as text [V0.2]. The narrow type first: it is far cheaper, and holds all but a few. (A cast
-- passes over white space itself, except over chr(160).)
create macro cents(value) as
    coalesce(
        (try_cast(value as decimal(16, 4)) * 0.01::decimal(2, 2))::varchar,
        (try_cast(filled(value) as decimal(30, 4)) * 0.01::decimal(3, 2))::decimal(38, 6)::varchar,
        value
    );

-- Millionths as text -> currency units as text [V0.2].
create macro micros(value) as
    coalesce(
        (try_cast(value as decimal(12, 0)) * 0.000001::decimal(6, 6))::varchar,
        (try_cast(filled(value) as decimal(30, 0)) * 0.000001::decimal(7, 6))::varchar,
        value
    );

-- A number of a vendor's object, or its gid, as the gid: the two APIs of one store agree on ids.
create macro gid(type, id) as
    case
        when filled(id) is null or starts_with(id, 'gid://') then filled(id)
        else 'gid://shopify/' || type || '/' || filled(id)
    end;

-- Percent codes as the text they stand for. A sequence that decodes to no text stays as it is: then each character's
-- bytes are decoded by themselves.
create macro url_decoded(value) as
    coalesce(
        try(url_decode(value)),
        array_to_string(
            list_transform(
                regexp_extract_all(
                    value,
                    '(?i)%[CD][0-9A-F]%[89AB][0-9A-F]|%E[0-9A-F](?:%[89AB][0-9A-F]){2}|%F[0-9A-F](?:%[89AB][0-9A-F]){3}|'
                    || '%[0-9A-F]{2}|[^%]+|%'
                ),
                lambda part: coalesce(try(url_decode(part)), part)
            ),
            ''
        )
    );
