-- Settings of the session, and where the organization's derived files are: the folder of its current generation.
-- Variables: organization_id, data_dir (the folder `data` unless it is set before). The service sets `marts` again for
-- each request.

-- Up to DuckDB 1.5.6 this optimizer returns wrong results for the latest row of each key.
set disabled_optimizers = 'top_n_window_elimination';

set variable data_dir = coalesce(getvariable('data_dir'), 'data');
set variable marts = (
    select getvariable('data_dir') || '/marts/organization_id=' || getvariable('organization_id') || '/'
        || regexp_extract(content, 'gen=\d+')
    from read_text(getvariable('data_dir') || '/marts/organization_id=' || getvariable('organization_id') || '/current')
);
