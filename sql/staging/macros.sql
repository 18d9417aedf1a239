-- What the mappings of vendors' objects share. A value that cannot be converted stays as it is: the check of its
-- type then refuses the row with the value named, instead of a silent null.

-- Text without surrounding white space; null when nothing is left. Most text has none, and trimming costs more than
-- looking.
create macro filled(value) as
    case
        when regexp_matches(value, '^[ \t\r\n\xA0]|[ \t\r\n\xA0]$')
            then nullif(trim(value, e' \t\r\n' || chr(160)), '')
        when value <> '' then value
    end;

-- Cents as text -> currency units as text. The narrow type first: it is far cheaper, and holds all but a few.
create macro cents(value) as
    coalesce(
        (try_cast(filled(value) as decimal(18, 4)) * 0.01::decimal(3, 2))::varchar,
        (try_cast(filled(value) as decimal(30, 4)) * 0.01::decimal(3, 2))::decimal(38, 6)::varchar,
        value
    );

-- Millionths as text -> currency units as text.
create macro micros(value) as
    coalesce(
        (try_cast(filled(value) as decimal(18, 0)) * 0.000001::decimal(7, 6))::varchar,
        (try_cast(filled(value) as decimal(30, 0)) * 0.000001::decimal(7, 6))::varchar,
        value
    );

-- A number of a vendor's object, or its gid, as the gid: the two APIs of one store agree on ids.
create macro gid(type, id) as
    case
        when filled(id) is null or starts_with(id, 'gid://') then filled(id)
        else 'gid://shopify/' || type || '/' || filled(id)
    end;
