-- Macros of the mappings of vendors' objects. Ids stay text [V0.1]. A value that cannot be converted is kept: the check
-- of its type then rejects the row and names the value, instead of a silent null.

-- Text without surrounding white space. A cast ignores white space too, except chr(160).
create macro trimmed(value) as trim(value, e' \t\r\n' || chr(160));

-- The same; null when nothing is left. Most texts have none, and trimming costs ten times as much as comparing both ends.
create macro filled(value) as
    case
        when value between '!' and '~' and not (
            suffix(value, ' ') or suffix(value, e'\t') or suffix(value, e'\r') or suffix(value, e'\n')
            or suffix(value, chr(160))
        ) then value
        else nullif(trimmed(value), '')
    end;

-- The first of several texts that is not blank, unchanged.
create macro first_filled(texts) as list_filter(texts, lambda t: filled(t) is not null)[1];

-- An id that was a floating-point number, such as `123.0`, `1.0E+10`, `1e16`: the integer if it is a whole one, and exact,
-- otherwise null. Other texts stay, also those that have an e, such as `12e5`.
create macro unfloated(value) as
    case
        when not regexp_full_match(value, '[+-]?\d+\.\d*([eE][+-]?\d+)?|[+-]?\d+[eE][+-]\d+|[1-9]e(1[6-9]|2\d)') then value
        when abs(try_cast(value as decimal(38, 6))) < 9007199254740992
            and try_cast(value as decimal(38, 6)) % 1 = 0
            and abs(try_cast(value as double)) < 9007199254740992
            then try_cast(value as decimal(38, 6))::decimal(30, 0)::varchar
    end;

-- An id as text, trimmed; null when nothing is left, and for a floating-point number that is no exact integer. Few ids may be
-- one. The others are not planned for, as a lambda is prepared only when it runs.
create macro whole_id(value) as
    case
        when (contains(value, '.') or contains(value, 'e') or contains(value, 'E')) and not value between ':' and '~'
            then list_transform([trimmed(value)], lambda id: unfloated(id))[1]
        else filled(value)
    end;

-- Cents as text -> currency units as text [V0.2]. The narrow type first: it is far cheaper and fits most values. Only of a
-- text that begins like a number: a cast reads a sign and white space as 0.
create macro cents(value) as
    coalesce(
        case when value between '-!' and ':' then (try_cast(value as decimal(16, 4)) * 0.01::decimal(2, 2))::varchar end,
        (try_cast(trimmed(value) as decimal(30, 4)) * 0.01::decimal(3, 2))::decimal(38, 6)::varchar,
        value
    );

-- Millionths as text -> currency units as text [V0.2].
create macro micros(value) as
    coalesce(
        case when value between '-!' and ':' then (try_cast(value as decimal(12, 0)) * 0.000001::decimal(6, 6))::varchar end,
        (try_cast(trimmed(value) as decimal(30, 0)) * 0.000001::decimal(7, 6))::varchar,
        value
    );

-- An object with its keys in order, as are those of the objects in it.
create macro sorted_members(object) as to_json(map_from_entries(list_sort(map_entries(object::map(varchar, json)))));
create macro sorted_object(object) as
    to_json(map_from_entries(list_sort(list_transform(
        map_entries(object::map(varchar, json)),
        lambda e: {key: e.key, value: case when json_type(e.value) = 'OBJECT' then sorted_members(e.value) else e.value end}
    ))));

-- The text of an object, of the segments of a row [V0.4], that does not depend on the order of the keys. (Its own text is
-- joined, in half the time of converting a map; objects are rare in it.)
create macro sorted_text(object) as
    case
        when object is not null then '{' || array_to_string(
            list_transform(
                list_sort(map_entries(object::json::map(varchar, json))),
                lambda e: to_json(e.key)::varchar || ':'
                    || (case when json_type(e.value) = 'OBJECT' then sorted_object(e.value) else e.value end)::varchar
            ),
            ','
        ) || '}'
    end;

-- The time of an event of store A, whose vendor writes that of one that has not happened as null or as its platform's smallest date.
create macro happened(instant) as case when not starts_with(instant, '0001-01-01') then instant end;

-- The sum of texts; null without any. A text that is not an amount replaces the sum, so that the row is rejected.
create macro sum_of(texts) as
    coalesce(
        list_filter(texts, lambda t: filled(t) is not null and try_cast(filled(t) as decimal(30, 6)) is null)[1],
        list_sum(list_transform(texts, lambda t: try_cast(filled(t) as decimal(30, 6))))::varchar
    );

-- The elements of a JSON list, which is an array, or a connection of `nodes` or of `edges` [V6.6].
create macro elements_of(value) as
    list_concat(json_extract(value, '$[*]'), json_extract(value, '$.nodes[*]'), json_extract(value, '$.edges[*].node'));

-- Whether a value, if there is one, is such a list: any other would be read as an empty one.
create macro is_list(value) as
    coalesce(json_type(value, '$.nodes'), json_type(value, '$.edges'), json_type(value), 'NULL') in ('NULL', 'ARRAY');

-- Whether a list is only the first page of a connection, which would be read as the whole.
create macro is_cut_off(value) as coalesce(json_extract_string(value, '$.pageInfo.hasNextPage') = 'true', false);

-- The id of a vendor's object as a gid, from a number or a gid: the two APIs of one store then agree on ids.
create macro gid(type, id) as
    case
        when filled(id) is null or starts_with(id, 'gid://') then filled(id)
        else 'gid://shopify/' || type || '/' || filled(id)
    end;
