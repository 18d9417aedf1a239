-- The values by which cohorts [D30], [D87] and periods [D89] are broken down, by one attribute or two, and their names. A row is that of
-- `break_key`, a list with the value of each attribute, and of `source`, a list of what distinguishes values with the same key.

-- The names of attributes that a parameter asks for.
create macro one_or_two(parameter, names) as
    case when len(names) > 2 then unknown_choice(parameter, array_to_string(names, ',')) else names end;

-- The columns `break_key` and `source` of a relation with the columns of the attributes, as a text, so that it needs no others.
create macro columns_of(attributes) as
    '[' || array_to_string(list_transform(attributes, lambda name: attribute_sql(name)), ', ') || '] as break_key, ['
    || array_to_string(list_transform(attributes, lambda name: attribute_source_sql(name)), ', ') || '] as source';

-- Whether a row lacks a value.
create macro lacks_value(break_key) as coalesce(len(list_filter(break_key, lambda key: key is null)) > 0, false);

-- Whether a value has no spend, in any store: a channel without a connector, a campaign that never landed.
create macro lacks_spend(attribute, key, source) as
    case attribute
        when 'channel' then not has_spend(key)
        when 'campaign' then source is null
        else false
    end;

-- `rows`, the name of a relation, with what the answer shows of their values, and whether one of these has no spend in any store.
create macro named_by_one(rows, attribute) as table
    select
        shown.*,
        [coalesce(names.shown_key, shown.break_key[1])] as shown_keys,
        [coalesce(names.label, attribute_label(attribute, shown.break_key[1]))] as labels,
        lacks_spend(attribute, shown.break_key[1], shown.source[1]) as lacks_spend
    from query_table(rows) as shown
    left join attribute_names(attribute) as names
        on names.value_key = shown.break_key[1] and is_same(names.source, shown.source[1]);
create macro named_by_two(rows, first_attribute, second_attribute) as table
    select
        shown.*,
        [coalesce(firsts.shown_key, shown.break_key[1]), coalesce(seconds.shown_key, shown.break_key[2])] as shown_keys,
        [
            coalesce(firsts.label, attribute_label(first_attribute, shown.break_key[1])),
            coalesce(seconds.label, attribute_label(second_attribute, shown.break_key[2]))
        ] as labels,
        lacks_spend(first_attribute, shown.break_key[1], shown.source[1])
        or lacks_spend(second_attribute, shown.break_key[2], shown.source[2]) as lacks_spend
    from query_table(rows) as shown
    left join attribute_names(first_attribute) as firsts
        on firsts.value_key = shown.break_key[1] and is_same(firsts.source, shown.source[1])
    left join attribute_names(second_attribute) as seconds
        on seconds.value_key = shown.break_key[2] and is_same(seconds.source, shown.source[2]);

-- The same by a list of one attribute or two. As a text, so that the attributes are constants: the macros above name them in each branch
-- of a `case`, and an expression would be planned again in each.
create macro named_rows(rows, attributes) as table
    from query(
        if(
            len(attributes) = 2,
            format('from named_by_two(''{}'', ''{}'', ''{}'')', rows, attributes[1], attributes[2]),
            format('from named_by_one(''{}'', ''{}'')', rows, coalesce(attributes[1], ''))
        )
    );
