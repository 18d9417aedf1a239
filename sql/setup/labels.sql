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
