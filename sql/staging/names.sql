-- Names of members in vendors' objects. Client libraries write snake_case where the API has camelCase, and the other way
-- round: both are the same name [V0.5]. Only names are changed, never values.

-- `cost_micros` -> `costMicros`; also of a list of paths, as in a field mask.
create macro camel(name) as
    array_to_string(
        list_transform(
            string_split(name, '_'),
            lambda part, no: case when no = 1 then part else upper(part[1]) || part[2:] end
        ),
        ''
    );

-- `dateStart` -> `date_start`.
create macro snake(name) as lower(regexp_replace(name, '([a-z0-9])([A-Z])', '\1_\2', 'g'));

-- The text of an object with these names replaced by others, at any depth.
create macro renamed(object, names, others) as
    list_reduce(
        list_prepend(object, list_transform(list_zip(names, others), lambda pair: pair[1] || ' ' || pair[2])),
        lambda text, pair: regexp_replace(
            text, '"' || split_part(pair, ' ', 1) || '"(\s*:)', '"' || split_part(pair, ' ', 2) || '"\1', 'g'
        )
    );

create macro snake_names_in(object) as
    list_distinct(regexp_extract_all(object, '"([a-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)"\s*:', 1));
create macro camel_names_in(object) as
    list_distinct(regexp_extract_all(object, '"([a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+)"\s*:', 1));

-- Objects of an API with camelCase, and of one with snake_case. Hardly any object has a name in the other form.
create macro in_camel_case(object) as
    case
        when regexp_matches(object, '"[a-z][A-Za-z0-9]*_[A-Za-z0-9_]*"\s*:') then
            renamed(object, snake_names_in(object), list_transform(snake_names_in(object), lambda name: camel(name)))
        else object
    end;
create macro in_snake_case(object) as
    case
        when regexp_matches(object, '"[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*"\s*:') then
            renamed(object, camel_names_in(object), list_transform(camel_names_in(object), lambda name: snake(name)))
        else object
    end;
