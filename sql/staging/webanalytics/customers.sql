-- Web analytics report on users and sessions -> one row per vendor row.
-- Grain: all nine dimensions of the record; a report by fewer leaves the others null. `_segment` distinguishes rows by
-- other dimensions. Names of older and simpler reports are accepted too.
-- Follows [V3.1]: rates stay fractions, (not set) and (direct) are values; [D22].

select
    file_no,
    position,
    coalesce(dimension['sessionCampaignId'], dimension['campaignId']) as campaign_id,
    coalesce(dimension['sessionCampaignName'], dimension['campaignName']) as campaign_name,
    dimension['city'] as city,
    dimension['country'] as country,
    dimension['region'] as region,
    coalesce(dimension['sessionGoogleAdsCampaignId'], dimension['googleAdsCampaignId']) as searchads_campaign_id,
    coalesce(dimension['sessionSourceMedium'], dimension['sourceMedium']) as source_medium,
    dimension['deviceCategory'] as device_category,
    report_day(dimension['date']) as date,
    metric['activeUsers'] as active_users,
    metric['engagedSessions'] as engaged_sessions,
    metric['bounceRate'] as bounce_rate,
    metric['sessionsPerUser'] as sessions_per_user,
    metric['totalUsers'] as total_users,
    metric['sessions'] as sessions,
    metric['purchaserRate'] as purchaser_rate,
    metric['purchaseRevenue'] as purchase_revenue,
    coalesce(metric['ecommercePurchases'], metric['transactions']) as total_purchases,
    metric['totalRevenue'] as total_revenue,
    further as _segment,
    refusal as _reject
from report_rows([
    'date', 'sessionCampaignId', 'campaignId', 'sessionCampaignName', 'campaignName', 'city', 'country',
    'region', 'sessionGoogleAdsCampaignId', 'googleAdsCampaignId', 'sessionSourceMedium', 'sourceMedium',
    'deviceCategory'
])
