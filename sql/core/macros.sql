-- Macros of the core relations. A derivation loads them first, after setup/rounding.sql, setup/text.sql and staging/macros.sql.

-- Whether a rule's pattern matches a campaign, by its normalized id or name as the rule requires [D13].
create macro is_matched_by(matches, pattern, campaign_key, name_key) as
    case matches when 'id' then campaign_key = pattern else name_key like pattern escape '\' end;

create macro trimmed(value) as regexp_replace(value, '^[\s\p{Z}]+|[\s\p{Z}]+$', '', 'g');

-- The words of a folded text, each between blanks.
create macro words_of(key) as ' ' || array_to_string(regexp_extract_all(key, '[\p{L}\p{N}]+'), ' ') || ' ';

-- The table of payment names [D88]: a name is of the first line of which a term is in it, whole words in this order; `=`: the
-- whole name. Line 4 are payments made later, line 8 those at the door, by bank and in other countries.
create macro payment_terms() as table
    select
        line,
        payment_group,
        ' ' || ltrim(term, '=') || ' ' as words,
        starts_with(term, '=') as is_whole
    from (
        select line, payment_group, unnest(string_split(terms, ', ')) as term
        from (values
        (1, 'gift_card', 'gift card, giftcard, store credit, shopify credit, exchange credit, credito na loja, credito em loja, '
            || 'credito da loja, vale presente, vale compra, vale compras, vale troca, cartao presente, =vale'),
        (2, 'pix', 'pix, instant payment, instantpayment'),
        (3, 'boleto', 'boleto, bank invoice, bankinvoice, bank slip, bankslip'),
        (4, 'other', 'pay later, paylater, klarna, afterpay, clearpay, affirm, sezzle, pagaleve, addi, koin, '
            || 'mercado credito, shop pay installments, shopify installments, crediario, promissory, cardpromissory, '
            || 'promissoria, direct debit'),
        (5, 'credit_card', 'credit, credito, creditcard'),
        (6, 'debit_card', 'debit, debito, debitcard, visa electron, maestro'),
        (7, 'wallet', 'paypal, mercado pago, mercadopago, mercadopagopro, mercadopagowallet, pagseguro, pag seguro, pagbank, '
            || 'picpay, nupay, nubank, ame digital, =ame, bcash, apple pay, applepay, google pay, googlepay, '
            || 'samsung pay, amazon pay, amazon payments, alipay, wechat pay, venmo, wallet, carteira'),
        (8, 'other', 'manual, bogus, cash, cod, dinheiro, efectivo, efetivo, bank deposit, deposito, bank transfer, '
            || 'wire transfer, transferencia, money order, check, cheque, oxxo, pse, spei, pagoefectivo, ideal, '
            || 'bancontact, sofort, giropay, eps, przelewy24, multibanco, mb way, upi, tiktok shop'),
        (9, 'credit_card', 'card, cards, cartao, tarjeta, visa, mastercard, master card, amex, american express, elo, hipercard, '
            || 'hiper, diners, discover, jcb, aura, unionpay, shopify payments, shop pay, stripe, authorize net, '
            || 'braintree, cybersource, worldpay, checkout com, adyen, cielo, rede, redecard, getnet, stone')
        ) as lines (line, payment_group, terms)
    );

-- The settings' patterns of payment names, as those of campaigns [D13].
create macro payment_rules() as table
    select
        row_number() over () as position,
        rule."group" as payment_group,
        replace(replace(replace(normalized(rule.name), '\', '\\'), '%', '\%'), '*', '%') as pattern
    from (
        select unnest(from_json(getvariable('settings')::json -> '$.payments', '[{"name": "VARCHAR", "group": "VARCHAR"}]')) as rule
    );

-- The group that store A's own group of a payment means; null for any other. Some exports leave `PaymentGroup` behind it.
create macro storea_payment_group(name) as
    map {
        'creditcard': 'credit_card', 'debitcard': 'debit_card', 'bankinvoice': 'boleto', 'instantpayment': 'pix', 'giftcard': 'gift_card'
    }[regexp_replace(lower(trimmed(name)), 'paymentgroup$', '')];

-- A country as its two letters by ISO 3166-1, also from the three letters; another text in upper case [D88].
create macro country_of(name) as
    coalesce(
        map {
        'ABW': 'AW', 'AFG': 'AF', 'AGO': 'AO', 'AIA': 'AI', 'ALA': 'AX', 'ALB': 'AL', 'AND': 'AD', 'ARE': 'AE', 'ARG': 'AR', 'ARM': 'AM',
        'ASM': 'AS', 'ATA': 'AQ', 'ATF': 'TF', 'ATG': 'AG', 'AUS': 'AU', 'AUT': 'AT', 'AZE': 'AZ', 'BDI': 'BI', 'BEL': 'BE', 'BEN': 'BJ',
        'BES': 'BQ', 'BFA': 'BF', 'BGD': 'BD', 'BGR': 'BG', 'BHR': 'BH', 'BHS': 'BS', 'BIH': 'BA', 'BLM': 'BL', 'BLR': 'BY', 'BLZ': 'BZ',
        'BMU': 'BM', 'BOL': 'BO', 'BRA': 'BR', 'BRB': 'BB', 'BRN': 'BN', 'BTN': 'BT', 'BVT': 'BV', 'BWA': 'BW', 'CAF': 'CF', 'CAN': 'CA',
        'CCK': 'CC', 'CHE': 'CH', 'CHL': 'CL', 'CHN': 'CN', 'CIV': 'CI', 'CMR': 'CM', 'COD': 'CD', 'COG': 'CG', 'COK': 'CK', 'COL': 'CO',
        'COM': 'KM', 'CPV': 'CV', 'CRI': 'CR', 'CUB': 'CU', 'CUW': 'CW', 'CXR': 'CX', 'CYM': 'KY', 'CYP': 'CY', 'CZE': 'CZ', 'DEU': 'DE',
        'DJI': 'DJ', 'DMA': 'DM', 'DNK': 'DK', 'DOM': 'DO', 'DZA': 'DZ', 'ECU': 'EC', 'EGY': 'EG', 'ERI': 'ER', 'ESH': 'EH', 'ESP': 'ES',
        'EST': 'EE', 'ETH': 'ET', 'FIN': 'FI', 'FJI': 'FJ', 'FLK': 'FK', 'FRA': 'FR', 'FRO': 'FO', 'FSM': 'FM', 'GAB': 'GA', 'GBR': 'GB',
        'GEO': 'GE', 'GGY': 'GG', 'GHA': 'GH', 'GIB': 'GI', 'GIN': 'GN', 'GLP': 'GP', 'GMB': 'GM', 'GNB': 'GW', 'GNQ': 'GQ', 'GRC': 'GR',
        'GRD': 'GD', 'GRL': 'GL', 'GTM': 'GT', 'GUF': 'GF', 'GUM': 'GU', 'GUY': 'GY', 'HKG': 'HK', 'HMD': 'HM', 'HND': 'HN', 'HRV': 'HR',
        'HTI': 'HT', 'HUN': 'HU', 'IDN': 'ID', 'IMN': 'IM', 'IND': 'IN', 'IOT': 'IO', 'IRL': 'IE', 'IRN': 'IR', 'IRQ': 'IQ', 'ISL': 'IS',
        'ISR': 'IL', 'ITA': 'IT', 'JAM': 'JM', 'JEY': 'JE', 'JOR': 'JO', 'JPN': 'JP', 'KAZ': 'KZ', 'KEN': 'KE', 'KGZ': 'KG', 'KHM': 'KH',
        'KIR': 'KI', 'KNA': 'KN', 'KOR': 'KR', 'KWT': 'KW', 'LAO': 'LA', 'LBN': 'LB', 'LBR': 'LR', 'LBY': 'LY', 'LCA': 'LC', 'LIE': 'LI',
        'LKA': 'LK', 'LSO': 'LS', 'LTU': 'LT', 'LUX': 'LU', 'LVA': 'LV', 'MAC': 'MO', 'MAF': 'MF', 'MAR': 'MA', 'MCO': 'MC', 'MDA': 'MD',
        'MDG': 'MG', 'MDV': 'MV', 'MEX': 'MX', 'MHL': 'MH', 'MKD': 'MK', 'MLI': 'ML', 'MLT': 'MT', 'MMR': 'MM', 'MNE': 'ME', 'MNG': 'MN',
        'MNP': 'MP', 'MOZ': 'MZ', 'MRT': 'MR', 'MSR': 'MS', 'MTQ': 'MQ', 'MUS': 'MU', 'MWI': 'MW', 'MYS': 'MY', 'MYT': 'YT', 'NAM': 'NA',
        'NCL': 'NC', 'NER': 'NE', 'NFK': 'NF', 'NGA': 'NG', 'NIC': 'NI', 'NIU': 'NU', 'NLD': 'NL', 'NOR': 'NO', 'NPL': 'NP', 'NRU': 'NR',
        'NZL': 'NZ', 'OMN': 'OM', 'PAK': 'PK', 'PAN': 'PA', 'PCN': 'PN', 'PER': 'PE', 'PHL': 'PH', 'PLW': 'PW', 'PNG': 'PG', 'POL': 'PL',
        'PRI': 'PR', 'PRK': 'KP', 'PRT': 'PT', 'PRY': 'PY', 'PSE': 'PS', 'PYF': 'PF', 'QAT': 'QA', 'REU': 'RE', 'ROU': 'RO', 'RUS': 'RU',
        'RWA': 'RW', 'SAU': 'SA', 'SDN': 'SD', 'SEN': 'SN', 'SGP': 'SG', 'SGS': 'GS', 'SHN': 'SH', 'SJM': 'SJ', 'SLB': 'SB', 'SLE': 'SL',
        'SLV': 'SV', 'SMR': 'SM', 'SOM': 'SO', 'SPM': 'PM', 'SRB': 'RS', 'SSD': 'SS', 'STP': 'ST', 'SUR': 'SR', 'SVK': 'SK', 'SVN': 'SI',
        'SWE': 'SE', 'SWZ': 'SZ', 'SXM': 'SX', 'SYC': 'SC', 'SYR': 'SY', 'TCA': 'TC', 'TCD': 'TD', 'TGO': 'TG', 'THA': 'TH', 'TJK': 'TJ',
        'TKL': 'TK', 'TKM': 'TM', 'TLS': 'TL', 'TON': 'TO', 'TTO': 'TT', 'TUN': 'TN', 'TUR': 'TR', 'TUV': 'TV', 'TWN': 'TW', 'TZA': 'TZ',
        'UGA': 'UG', 'UKR': 'UA', 'UMI': 'UM', 'URY': 'UY', 'USA': 'US', 'UZB': 'UZ', 'VAT': 'VA', 'VCT': 'VC', 'VEN': 'VE', 'VGB': 'VG',
        'VIR': 'VI', 'VNM': 'VN', 'VUT': 'VU', 'WLF': 'WF', 'WSM': 'WS', 'YEM': 'YE', 'ZAF': 'ZA', 'ZMB': 'ZM', 'ZWE': 'ZW'
        }[upper(trimmed(name))],
        nullif(upper(trimmed(name)), '')
    );

-- A state, folded, in upper case; in Brazil, and without a country, the name of a Brazilian state is its code [D88].
create macro state_of(name, country) as
    coalesce(
        case when coalesce(country_of(country), 'BR') = 'BR' then map {
        'ACRE': 'AC', 'ALAGOAS': 'AL', 'AMAPA': 'AP', 'AMAZONAS': 'AM', 'BAHIA': 'BA',
        'CEARA': 'CE', 'DISTRITO FEDERAL': 'DF', 'ESPIRITO SANTO': 'ES', 'GOIAS': 'GO', 'MARANHAO': 'MA',
        'MATO GROSSO': 'MT', 'MATO GROSSO DO SUL': 'MS', 'MINAS GERAIS': 'MG', 'PARA': 'PA', 'PARAIBA': 'PB',
        'PARANA': 'PR', 'PERNAMBUCO': 'PE', 'PIAUI': 'PI', 'RIO DE JANEIRO': 'RJ', 'RIO GRANDE DO NORTE': 'RN',
        'RIO GRANDE DO SUL': 'RS', 'RONDONIA': 'RO', 'RORAIMA': 'RR', 'SANTA CATARINA': 'SC', 'SAO PAULO': 'SP',
        'SERGIPE': 'SE', 'TOCANTINS': 'TO'
        }[upper(folded(name))] end,
        upper(folded(name))
    );

-- A name as spelled: trimmed, runs of white space as one blank [D87], [D88].
create macro single_spaced(name) as nullif(trim(regexp_replace(name, '[\s\x{0B}\x{1C}-\x{1F}\x{85}\p{Z}]+', ' ', 'g')), '');

-- A trimmed, lower-cased e-mail, without the masks of `name@host-123b.ct.vtex.com.br` [D5].
create macro unmasked(email) as
    case
        when contains(lower(email), '.ct.vtex.com.br')
            then regexp_replace(trimmed(lower(email)), '^(.+@.+?)(?:-[0-9]+b?\.ct\.vtex\.com\.br)+$', '\1')
        else trimmed(lower(email))
    end;

-- The alias in place of a real e-mail; null for an e-mail that identifies a person, and without an e-mail [D5]. It
-- includes no part of an address that could be a person's.
create macro alias_of(email) as
    case
        when length(email) - length(replace(email, '@', '')) <> 1 then 'no address'
        when regexp_matches(email, '@(ct\.vtex\.com\.br$|.*\.ct\.vtex\.com\.br$)') then '*@ct.vtex.com.br'
        when regexp_matches(email, '@(marketplace\.amazon\.|mail\.mercadolivre\.|mail\.mercadolibre\.)')
            then '*@' || regexp_extract(email, '@(marketplace\.amazon|mail\.mercadoli[vb]re)\.', 1) || '.*'
        when regexp_matches(email, '^(no|sem|nao)[-_.]?(e?mail|reply|informado|tem)@')
            then regexp_extract(email, '^[^@]+') || '@*'
    end;

-- A status in one spelling: accents, hyphens and underscores make no difference.
create macro status_words(status) as translate(lower(strip_accents(trim(status))), '_-', '  ');

-- The status that the rules read [D3]: trimmed and in lower case, and for a Portuguese one, which people write into
-- tables, the platform's own status with this meaning. The goods of a returned order were invoiced [V5.4]. The first
-- branch spares most orders the comparison of words.
create macro storea_status(status) as
    case
        when status in ('invoiced', 'canceled', 'payment-pending', 'payment-approved', 'ready-for-handling', 'handling') then status
        when status_words(status) in ('cancelado', 'cancelada', 'pedido cancelado', 'anulado') then 'canceled'
        when status_words(status) in ('substituido', 'substituida', 'pedido substituido') then 'replaced'
        when status_words(status) in ('cancelamento solicitado', 'solicitacao de cancelamento') then 'cancellation-requested'
        when status_words(status) in ('pendente', 'pagamento pendente', 'aguardando pagamento', 'nao pago') then 'payment-pending'
        when status_words(status) in ('negado', 'recusado', 'pagamento negado', 'pagamento recusado') then 'payment-denied'
        when status_words(status) in ('pago', 'paga', 'aprovado', 'pagamento aprovado', 'pagamento confirmado')
            then 'payment-approved'
        when status_words(status) in ('pronto para manuseio', 'pronto para o manuseio') then 'ready-for-handling'
        when status_words(status) in ('preparando entrega', 'em preparacao', 'em separacao', 'em processamento', 'processando')
            then 'handling'
        when status_words(status) in (
            'faturado', 'faturada', 'enviado', 'enviada', 'despachado', 'em transporte', 'entregue', 'concluido', 'concluida',
            'finalizado', 'finalizada', 'completed', 'devolvido', 'devolvida', 'reembolsado', 'reembolsada', 'estornado'
        ) then 'invoiced'
        else lower(trim(status))
    end;

create macro storeb_status(status) as
    case
        when status in ('paid', 'refunded', 'partially_refunded', 'pending', 'authorized', 'voided') then status
        when status_words(status) in ('pago', 'paga', 'aprovado', 'pagamento aprovado', 'pagamento confirmado') then 'paid'
        -- A shop that is not the platform's, such as WooCommerce, has one status: an order is concluded once it is paid.
        when status_words(status) in (
            'concluido', 'concluida', 'pedido concluido', 'finalizado', 'finalizada', 'pedido finalizado', 'completed'
        ) then 'paid'
        when status_words(status) in ('parcialmente pago', 'pago parcialmente') then 'partially_paid'
        when status_words(status) in ('pendente', 'pagamento pendente', 'aguardando pagamento', 'nao pago') then 'pending'
        when status_words(status) in ('autorizado', 'pagamento autorizado') then 'authorized'
        when status_words(status) = 'expirado' then 'expired'
        when status_words(status) in ('reembolsado', 'reembolsada', 'devolvido', 'devolvida', 'estornado') then 'refunded'
        when status_words(status) in ('parcialmente reembolsado', 'reembolsado parcialmente', 'reembolso parcial')
            then 'partially_refunded'
        when status_words(status) in ('anulado', 'cancelado', 'cancelada', 'pedido cancelado') then 'voided'
        else lower(trim(status))
    end;

-- Whether a platform has this status. A missing status counts as known.
create macro is_known_status(connector, status) as
    status is null
    or case connector
        when 'storea' then storea_status(status) in (
            'order-created', 'order-completed', 'order-accepted', 'order-replaced', 'on-order-completed',
            'on-order-completed-ffm', 'order-create-error', 'order-creation-error', 'payment-pending',
            'waiting-for-order-authorization', 'approve-payment', 'payment-approved', 'payment-denied',
            'waiting-for-authorization', 'waiting-for-manual-authorization', 'waiting-ffmt-authorization',
            'waiting-for-mkt-authorization', 'waiting-for-fulfillment', 'waiting-for-seller-confirmation',
            'waiting-for-sellers-confirmation', 'waiting-for-seller-decision', 'waiting-seller-handling',
            'authorize-fulfillment', 'request-cancel', 'cancellation-requested', 'cancel', 'canceled', 'cancelled',
            'window-to-cancel', 'window-to-change-payment', 'window-to-change-seller', 'ready-for-handling',
            'start-handling', 'handling', 'ready-for-invoicing', 'invoice', 'invoiced',
            'invoice-after-cancellation-deny', 'ship', 'replaced'
        )
        when 'storeb' then storeb_status(status) in (
            'pending', 'authorized', 'expired', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'voided'
        )
        else error('is_known_status has no branch of ' || connector)
    end;

-- A platform id, an e-mail, a campaign or a coupon, unless it is a filler that means none [D5].
create macro unless_filler(value) as
    case
        when length(value) > 38
            or not regexp_full_match(
                lower(trimmed(value)),
                '0|-1|-|nan|none|null|nat|n/a|#n/a|\\n|\(null\)|undefined|\{?0{8}-?0{4}-?0{4}-?0{4}-?0{12}\}?'
            )
            then value
    end;
create macro unless_guest(value) as case when lower(trimmed(value)) <> 'guest' then unless_filler(value) end;

-- The number that an erasure put in place of a customer's platform ids, the same in all stores; null for an id [D98].
create macro erased_number(platform_id) as
    nullif(regexp_extract(platform_id, '^(?:gid://shopify/Customer/)?(9000[0-9]{12})$', 1), '');

-- Hashes an e-mail or a platform id of a customer. Each organization has another hash of the same e-mail [D5].
create macro key_of(value) as left(sha256(getvariable('organization_id') || ' ' || value), 32)::uuid;

-- The customer as answers name them: a hash of the person's key under the organization's secret, so that nobody who knows
-- an e-mail can test it against an answer [D51].
create macro customer_id_of(person_id) as
    left(sha256(getvariable('customer_secret') || ' ' || person_id::varchar), 32)::uuid;

-- The cost of an order's units, if every sold unit has one and the sum is plausible [D17].
create macro real_cost(units, units_with_cost, cost) as
    case when units > 0 and units_with_cost = units and abs(cost) < 1000000000000 then cost end::decimal(18, 6);

-- The channel of normalized source, medium and campaign: the first test that is true [D15].
create macro is_paid_medium(medium) as
    regexp_full_match(
        coalesce(medium, ''),
        '.*cp.*|ppc|paid.*|retargeting|remarketing|ads?|display|sem|pago|midia ?paga'
    );

create macro has_word(source, words) as list_has_any(string_split_regex(coalesce(source, ''), '[ .]+'), words);

-- The source of an order whose export cannot carry one. No text of a vendor is this character.
create macro no_source() as chr(1);

create macro channel_of(source, medium, campaign) as
    case
        when source = no_source() then 'unknown'
        when source is null and medium is null and campaign is null then 'direct'
        when is_paid_medium(medium) and has_word(source, ['google', 'bing', 'adwords']) then 'searchads'
        when is_paid_medium(medium)
            and has_word(source, ['facebook', 'instagram', 'meta', 'fb', 'ig', 'messenger', 'tiktok']) then 'socialads'
        when medium in ('email', 'e mail', 'newsletter', 'email marketing', 'mail', 'mailing')
            or source in ('email', 'e mail', 'newsletter', 'email marketing', 'mail', 'mailing') then 'email'
        when medium in ('affiliate', 'affiliates', 'afiliado', 'afiliados')
            or source in ('affiliate', 'affiliates', 'afiliado', 'afiliados') then 'affiliate'
        when is_paid_medium(medium) then 'other'
        when has_word(
                source,
                [
                    'facebook', 'instagram', 'meta', 'fb', 'ig', 'messenger', 'tiktok', 'youtube', 'pinterest',
                    'linkedin', 'twitter', 'x', 'whatsapp', 'threads'
                ]
            )
            or medium in ('social', 'social network', 'social media', 'sm', 'organic social') then 'organic_social'
        when has_word(source, ['google', 'bing', 'yahoo', 'duckduckgo', 'ecosia', 'baidu', 'yandex'])
            or medium in ('organic', 'organic search', 'seo') then 'organic_search'
        when medium in ('referral', 'link', 'app') then 'referral'
        when source in ('(direct)', 'direct')
            and coalesce(medium, '(none)') in ('(none)', 'none', '(not set)')
            and campaign is null then 'direct'
        else 'other'
    end;

-- The id of a vendor's object without its type: the number of a gid.
create macro bare_id(id) as regexp_replace(id, '^gid://shopify/\w+/', '');

-- The organization's currency; and a currency as written, or the organization's where none is [D71].
create macro organization_currency() as getvariable('settings')::json ->> '$.currency';
create macro currency_of(written) as upper(coalesce(written, organization_currency()));
create macro is_own_currency(currency) as coalesce(currency = organization_currency(), true);

-- The number of the refund of an entry: its own, otherwise the place of the first entry with its key, otherwise its own place.
create macro refund_place(number, keys, key, place) as coalesce(number, list_position(keys, key) - 1, place);

-- The texts in a JSON list, without blank ones; a text that is no list is itself the only one.
create macro texts_in(list) as list_filter(
    case when json_valid(list) and starts_with(trim(list), '[') then from_json(list, '["VARCHAR"]') else [list] end,
    lambda one: filled(one) is not null
);

-- An amount, unless the total of its units exceeds that of any real order line.
create macro plausible_amount(amount, units) as case when abs(amount::double * units) < 10000000000 then amount end;

-- The local day of an instant, in the store's time zone [D6].
create macro local_day(instant, zone) as timezone(coalesce(zone, 'UTC'), instant)::date;

-- A document's id: the same for every version and every landing of it [D22].
create macro document_key(connector, record, integration_id, key) as
    md5(concat_ws(chr(31), connector, record, integration_id,
        array_to_string(list_transform(key, lambda part: coalesce(part, chr(30))), chr(31))));

-- A product type as the id of a root category [D38]; never the id of `uncategorized`.
create macro type_slug(product_type) as
    nullif(
        nullif(
            trim(left(
                trim(
                    regexp_replace(
                        lower(regexp_replace(strip_accents(product_type), '[^\x00-\x7F]', '', 'g')), '[^a-z0-9]+', '-', 'g'
                    ),
                    '-'
                ),
                50
            ), '-'),
            ''
        ),
        'uncategorized'
    );
