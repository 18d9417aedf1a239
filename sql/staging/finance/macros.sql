-- Macros of the tables of one's own with what sales and days cost.

-- A word as it is compared: without case, accents and the difference of separators.
create macro plain_word(word) as regexp_replace(lower(strip_accents(trimmed(word))), '[\s_-]+', ' ', 'g');

-- The item of a cost that a word means [D71]: one of the words of [D70], a Portuguese one, or one that `items` of the
-- integration's settings (variable `cost_items`) maps. Null for any other word.
create macro cost_item_of(word) as
    case plain_word(word)
        when 'salestax' then 'salesTax'
        when 'impostos' then 'salesTax'
        when 'payment' then 'payment'
        when 'taxas de pagamento' then 'payment'
        when 'shipping' then 'shipping'
        when 'frete' then 'shipping'
        when 'fulfilment' then 'fulfilment'
        when 'embalagem' then 'fulfilment'
        when 'commission' then 'commission'
        when 'comissoes' then 'commission'
        when 'other' then 'other'
        when 'outros' then 'other'
        when 'fixed' then 'fixed'
        when 'fixo' then 'fixed'
        else list_filter(
            map_entries(coalesce(getvariable('cost_items'), '{}')::json::map(varchar, varchar)),
            lambda one: plain_word(one.key) = plain_word(word)
        )[1].value
    end;
