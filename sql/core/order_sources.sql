-- Where counted orders come from, by what their UTM parameters say: the channel [D15], and the campaign that
-- `utm_campaign` names: the landed campaign with that id, else the one that ever had that name (of several: of the
-- order's own channel, then the smallest id); else what the text says, unlanded [D13], [D14].
-- Grain: one row per UTM source, medium and campaign that counted orders carry, as exported.

with

exported as (

    select distinct utm_source, utm_medium, utm_campaign
    from identified_orders
    where is_counted

),

keyed as (

    select
        *,
        normalized(utm_source) as source_key,
        normalized(utm_medium) as medium_key,
        normalized(utm_campaign) as utm_campaign_key
    from exported

),

channelled as (

    select *, channel_of(source_key, medium_key, utm_campaign_key) as channel
    from keyed

),

utm_campaigns as (

    select distinct utm_campaign_key, channel
    from channelled
    where utm_campaign_key is not null

),

named as (

    select
        utm_campaigns.utm_campaign_key,
        utm_campaigns.channel,
        arg_min(
            campaigns.campaign_key,
            {other_channel: campaigns.connector <> utm_campaigns.channel, key: campaigns.campaign_key}
        ) as campaign_key
    from utm_campaigns
    join campaign_names on campaign_names.name_key = utm_campaigns.utm_campaign_key
    join campaigns on campaigns.campaign_key = campaign_names.campaign_key
    group by all

),

unlanded_classes as (

    select utm_campaigns.utm_campaign_key, arg_min(campaign_rules.strategy, campaign_rules.position) as strategy
    from (select distinct utm_campaign_key from utm_campaigns) as utm_campaigns
    join campaign_rules
        on is_matched_by(
            campaign_rules.matches, campaign_rules.pattern, utm_campaigns.utm_campaign_key, utm_campaigns.utm_campaign_key
        )
    group by all

)

select
    channelled.utm_source,
    channelled.utm_medium,
    channelled.utm_campaign,
    channelled.channel,
    coalesce(landed.campaign_key, channelled.utm_campaign_key) as campaign_key,
    case when channelled.utm_campaign_key is not null then landed.campaign_key is not null end as is_landed,
    case when landed.campaign_key is not null then landed.strategy else unlanded_classes.strategy end as strategy
from channelled
left join named
    on named.utm_campaign_key = channelled.utm_campaign_key and named.channel = channelled.channel
left join campaigns as by_id on by_id.campaign_key = channelled.utm_campaign_key
left join campaigns as landed on landed.campaign_key = coalesce(by_id.campaign_key, named.campaign_key)
left join unlanded_classes on unlanded_classes.utm_campaign_key = channelled.utm_campaign_key
