-- Search ads criteria of ad groups -> one row per vendor row.
-- Grain: criterion of an ad group as exported, removed and negative ones included. Follows [V2.5].

with

criteria as (

    select
        file_no,
        position,
        from_json("row", '{
            "adGroup": {"resourceName": "VARCHAR", "id": "VARCHAR", "name": "VARCHAR"},
            "adGroupCriterion": {
                "resourceName": "VARCHAR", "status": "VARCHAR", "type": "VARCHAR", "criterionId": "VARCHAR"
            }
        }') as criterion
    from vendor_rows

)

select
    file_no,
    position,
    criterion.adGroup.resourceName as ad_group_resource_name,
    coalesce(criterion.adGroup.id, split_part(criterion.adGroup.resourceName, '/adGroups/', 2)) as ad_group_id,
    criterion.adGroup.name as ad_group_name,
    criterion.adGroupCriterion.resourceName as ad_group_criterion_resource_name,
    criterion.adGroupCriterion.status as ad_group_criterion_status,
    criterion.adGroupCriterion.type as ad_group_criterion_type,
    coalesce(
        criterion.adGroupCriterion.criterionId, split_part(criterion.adGroupCriterion.resourceName, '~', 2)
    ) as ad_group_criterion_criterion_id
from criteria
