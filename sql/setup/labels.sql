-- Labels for display, in Portuguese.

create macro channel_label(channel) as
    case channel
        when 'searchads' then 'Busca paga'
        when 'socialads' then 'Social pago'
        when 'organic_search' then 'Busca orgânica'
        when 'organic_social' then 'Social orgânico'
        when 'email' then 'E-mail'
        when 'affiliate' then 'Afiliados'
        when 'referral' then 'Referência'
        when 'direct' then 'Direto'
        when 'unknown' then 'Desconhecido'
        else 'Outros'
    end;

create macro customer_group_label(customer) as
    case customer when 'new' then 'Novos' when 'recurring' then 'Recorrentes' when 'anonymous' then 'Anônimos' end;

create macro payment_group_label(payment_group) as
    case payment_group
        when 'pix' then 'Pix'
        when 'boleto' then 'Boleto'
        when 'credit_card' then 'Cartão de crédito'
        when 'debit_card' then 'Cartão de débito'
        when 'wallet' then 'Carteira digital'
        when 'gift_card' then 'Vale-presente'
        when 'other' then 'Outros'
    end;

create macro weekday_label(weekday) as
    case weekday
        when '1' then 'Segunda-feira'
        when '2' then 'Terça-feira'
        when '3' then 'Quarta-feira'
        when '4' then 'Quinta-feira'
        when '5' then 'Sexta-feira'
        when '6' then 'Sábado'
        when '7' then 'Domingo'
    end;

-- Whether a channel has spend: that of the connector of its name [D15].
create macro has_spend(channel) as coalesce(channel in ('searchads', 'socialads'), false);
