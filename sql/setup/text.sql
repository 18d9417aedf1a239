-- Texts that are compared: normalized [D12], and folded [D88].
-- Grain: none; a macro has one value.

-- Percent-decoded text. A sequence that is not valid text stays as it is: in that case each character's bytes are decoded
-- separately.
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

-- Normalized text [D12]: URL-decoded once, `+`, `_`, `-` and white space as one blank, trimmed, lower case.
create macro normalized(value) as
    nullif(
        lower(trim(regexp_replace(url_decoded(value), '[\s\x{0B}\x{1C}-\x{1F}\x{85}\p{Z}_+-]+', ' ', 'g'))),
        ''
    );

-- Folded text [D88]: normalized, without accents.
create macro folded(value) as strip_accents(normalized(value));
