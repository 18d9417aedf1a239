-- The source of orders, counted or not, from their UTM parameters: the channel [D15] and the campaign that `utm_campaign`
-- names. That is the landed campaign with this id, otherwise the one that ever had this name (of several: of the
-- order's own channel, then the smallest id, then the connector's name), otherwise the text itself as a campaign that
-- never landed [D13], [D14].
-- Grain: one row per UTM source, medium and campaign of orders, as exported. `campaign_connector` is null for
-- a campaign that never landed.
-- Key: utm_source, utm_medium, utm_campaign
-- Kept for: analyses

with

exported as (

    select distinct utm_source, utm_medium, utm_campaign
    from identified_orders

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

-- The campaigns that a text may refer to.
meant as (

    select connector, campaign_key, campaign_key as text_key, true as is_id
    from campaigns

    union all

    select connector, campaign_key, name_key, false
    from campaign_names

),

landed as (

    select
        utm_campaigns.utm_campaign_key,
        utm_campaigns.channel,
        arg_min(
            {connector: meant.connector, campaign_key: meant.campaign_key},
            {
                is_name: not meant.is_id,
                is_of_other_channel: meant.connector <> utm_campaigns.channel,
                campaign_key: meant.campaign_key,
                connector: meant.connector
            }
        ) as campaign
    from utm_campaigns
    join meant on meant.text_key = utm_campaigns.utm_campaign_key
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
    coalesce(campaigns.campaign_key, channelled.utm_campaign_key) as campaign_key,
    campaigns.connector as campaign_connector,
    case when campaigns.campaign_key is not null then campaigns.strategy else unlanded_classes.strategy end as strategy
from channelled
left join landed
    on landed.utm_campaign_key = channelled.utm_campaign_key and landed.channel = channelled.channel
left join campaigns
    on campaigns.connector = landed.campaign.connector and campaigns.campaign_key = landed.campaign.campaign_key
left join unlanded_classes on unlanded_classes.utm_campaign_key = channelled.utm_campaign_key
