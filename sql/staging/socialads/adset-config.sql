-- Social ad sets -> one row per vendor row.
-- Grain: ad set as exported. Arrays are JSON as text, compact, in the vendor's order.
-- Budgets come in minor units of the account's currency: hundredths, unless the `currency` or `account_currency` of the
-- row, or else the organization's (variable `organization_currency`), has no minor units. A budget of 0 is none.
-- Follows [D22], [V1.1], [V0.3]: `created_time` has an offset without colon, which the type reads.

with

ad_sets as (

    select
        file_no,
        position,
        from_json("row", '{
            "id": "VARCHAR", "name": "VARCHAR", "effective_status": "VARCHAR", "created_time": "VARCHAR",
            "updated_time": "VARCHAR", "daily_budget": "VARCHAR", "lifetime_budget": "VARCHAR",
            "currency": "VARCHAR", "account_currency": "VARCHAR",
            "targeting": {
                "age_min": "VARCHAR", "age_max": "VARCHAR", "genders": "VARCHAR", "flexible_spec": "VARCHAR",
                "geo_locations": {
                    "custom_locations": "VARCHAR", "places": "VARCHAR", "location_types": "VARCHAR",
                    "neighborhoods": "VARCHAR"
                },
                "targeting_automation": {
                    "advantage_audience": "VARCHAR", "individual_setting": {"geo": "VARCHAR"}
                },
                "publisher_platforms": "VARCHAR", "facebook_positions": "VARCHAR",
                "instagram_positions": "VARCHAR", "messenger_positions": "VARCHAR", "device_platforms": "VARCHAR"
            }
        }') as ad_set
    from vendor_rows

),

ad_sets_with_units as (

    select
        *,
        upper(coalesce(filled(ad_set.currency), filled(ad_set.account_currency), getvariable('organization_currency')::varchar, '')) in (
            'CLP', 'COP', 'CRC', 'HUF', 'ISK', 'IDR', 'JPY', 'KRW', 'PYG', 'TWD', 'VND'
        ) as is_whole_units
    from ad_sets

)

select
    file_no,
    position,
    ad_set.id,
    ad_set.name,
    ad_set.effective_status,
    ad_set.targeting.flexible_spec as targeting_flexible_spec,
    ad_set.targeting.genders as targeting_genders,
    ad_set.targeting.geo_locations.custom_locations as targeting_geo_locations_custom_locations,
    ad_set.targeting.geo_locations.places as targeting_geo_locations_places,
    ad_set.targeting.geo_locations.location_types as targeting_geo_locations_location_types,
    ad_set.targeting.geo_locations.neighborhoods as targeting_geo_locations_neighborhoods,
    ad_set.targeting.targeting_automation.advantage_audience as targeting_targeting_automation_advantage_audience,
    ad_set.targeting.targeting_automation.individual_setting.geo
        as targeting_targeting_automation_individual_setting_geo,
    ad_set.targeting.publisher_platforms as targeting_publisher_platforms,
    ad_set.targeting.facebook_positions as targeting_networka_positions,
    ad_set.targeting.instagram_positions as targeting_networkb_positions,
    ad_set.targeting.messenger_positions as targeting_networkc_positions,
    ad_set.targeting.device_platforms as targeting_device_platforms,
    case
        when try_cast(filled(ad_set.lifetime_budget) as decimal(30, 4)) = 0 then null
        when is_whole_units then ad_set.lifetime_budget
        else cents(ad_set.lifetime_budget)
    end as lifetime_budget,
    case
        when try_cast(filled(ad_set.daily_budget) as decimal(30, 4)) = 0 then null
        when is_whole_units then ad_set.daily_budget
        else cents(ad_set.daily_budget)
    end as daily_budget,
    ad_set.targeting.age_min as targeting_age_min,
    ad_set.targeting.age_max as targeting_age_max,
    ad_set.created_time,
    ad_set.updated_time
from ad_sets_with_units
