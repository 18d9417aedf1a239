-- CRM pipelines -> one row per vendor row, its stages in a list.
-- Grain: pipeline as exported. Stages are sorted by `displayOrder`: the vendor's array is not. Names of the older API
-- are accepted too: pipelineId, stageId, active (not archived), times as milliseconds; the time of a pipeline that
-- came with the account is 0, which is null. The two `default` pipelines differ by their object type: the older API
-- names it; in the newer one deal stages have a probability and ticket stages a state.
-- Follows [D22], [V4.3].

with

pipelines as (

    select
        file_no,
        position,
        from_json("row", '{
            "id": "VARCHAR", "pipelineId": "VARCHAR", "objectType": "VARCHAR", "label": "VARCHAR",
            "displayOrder": "VARCHAR", "createdAt": "VARCHAR", "updatedAt": "VARCHAR", "archived": "VARCHAR",
            "active": "VARCHAR", "stages": "JSON"
        }') as pipeline
    from vendor_rows

),

pipelines_with_stages as (

    select
        *,
        from_json(pipeline.stages, '[{
            "id": "VARCHAR", "stageId": "VARCHAR", "label": "VARCHAR", "displayOrder": "VARCHAR",
            "archived": "VARCHAR", "active": "VARCHAR",
            "metadata": {"isClosed": "VARCHAR", "probability": "VARCHAR", "ticketState": "VARCHAR"}
        }]') as vendor_stages,
        coalesce(
            epoch_ms(try_cast(regexp_extract(pipeline.createdAt, '^[0-9]{1,14}$') as bigint)) || '+00',
            pipeline.createdAt
        ) as created_text,
        coalesce(
            epoch_ms(try_cast(regexp_extract(pipeline.updatedAt, '^[0-9]{1,14}$') as bigint)) || '+00',
            pipeline.updatedAt
        ) as updated_text
    from pipelines

),

pipelines_with_sorted_stages as (

    select
        *,
        list_transform(
            list_sort(list_transform(vendor_stages, lambda s, i: {
                place: coalesce(try_cast(filled(s.displayOrder) as double), 'infinity'::double),
                position: i,
                stage: s
            })),
            lambda sorted: sorted.stage
        ) as sorted_stages
    from pipelines_with_stages

)

select
    file_no,
    position,
    coalesce(pipeline.id, pipeline.pipelineId) as id,
    pipeline.label,
    pipeline.displayOrder as display_order,
    list_transform(sorted_stages, lambda s: {
        id: coalesce(s.id, s.stageId),
        label: s.label,
        display_order: s.displayOrder,
        is_closed: s.metadata.isClosed,
        probability: s.metadata.probability,
        archived: coalesce(
            s.archived, case lower(s.active) when 'true' then 'false' when 'false' then 'true' else s.active end
        )
    }) as stages,
    case when try_cast(created_text as timestamp) is distinct from 'epoch'::timestamp then created_text end
        as created_at,
    case when try_cast(updated_text as timestamp) is distinct from 'epoch'::timestamp then updated_text end
        as updated_at,
    coalesce(
        pipeline.archived,
        case lower(pipeline.active) when 'true' then 'false' when 'false' then 'true' else pipeline.active end
    ) as archived,
    coalesce(
        upper(filled(pipeline.objectType)),
        case
            when len(list_filter(vendor_stages, lambda s: s.metadata.ticketState is not null)) > 0 then 'TICKET'
            when len(list_filter(vendor_stages, lambda s: s.metadata.probability is not null)) > 0 then 'DEAL'
        end
    ) as object_type,
    case
        when json_type(pipeline.stages) not in ('ARRAY', 'NULL') then 'stages: not a list'
    end as _reject
from pipelines_with_sorted_stages
