-- CRM contacts -> one row per vendor row.
-- Grain: contact as exported. Properties include only what the export asked for: a missing one is null here. Blank
-- properties are null by [D22]. Follows [V4.1]; merged contacts are not resolved.

with

contacts as (

    select
        file_no,
        position,
        from_json("row", '{
            "id": "VARCHAR", "createdAt": "VARCHAR", "updatedAt": "VARCHAR", "archived": "VARCHAR",
            "properties": {
                "hs_object_id": "VARCHAR", "associatedcompanyid": "VARCHAR", "email": "VARCHAR",
                "hs_analytics_source": "VARCHAR", "hs_analytics_source_data_1": "VARCHAR",
                "hs_analytics_source_data_2": "VARCHAR", "hs_latest_source_data_1": "VARCHAR",
                "hs_latest_source_data_2": "VARCHAR", "hs_latest_source_timestamp": "VARCHAR",
                "lifecyclestage": "VARCHAR", "closedate": "VARCHAR", "createdate": "VARCHAR",
                "first_deal_created_date": "VARCHAR", "lastmodifieddate": "VARCHAR"
            }
        }') as contact
    from vendor_rows

)

select
    file_no,
    position,
    coalesce(contact.id, contact.properties.hs_object_id) as id,
    contact.properties.associatedcompanyid as associated_company_id,
    contact.properties.email,
    contact.properties.hs_analytics_source as crm_analytics_source,
    contact.properties.hs_analytics_source_data_1 as crm_analytics_source_data_1,
    contact.properties.hs_analytics_source_data_2 as crm_analytics_source_data_2,
    contact.properties.hs_latest_source_data_1 as crm_latest_source_data_1,
    contact.properties.hs_latest_source_data_2 as crm_latest_source_data_2,
    contact.properties.lifecyclestage as lifecycle_stage,
    contact.properties.closedate as close_date,
    contact.properties.createdate as create_date,
    contact.properties.first_deal_created_date,
    contact.properties.hs_latest_source_timestamp as crm_latest_source_timestamp,
    contact.properties.lastmodifieddate as last_modified_date,
    contact.createdAt as created_at,
    contact.updatedAt as updated_at,
    contact.archived
from contacts
