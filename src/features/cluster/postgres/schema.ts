/** The tables. Each statement may run again; a change gets the next version, and further statements. */
export const SCHEMA_VERSION = 2;

/** The channel of changed rows: `<table> <key>`. */
export const CHANNEL = "lucra_changed";

export const SCHEMA = `
create schema if not exists lucra;

create table if not exists lucra.installation (
    is_only boolean primary key default true check (is_only),
    schema_version integer not null
);

create sequence if not exists lucra.versions;

-- One row per organization that was ever written: the fence. Each turn raises the epoch.
create table if not exists lucra.turns (
    organization text primary key,
    epoch bigint not null,
    holder text not null,
    backend_pid integer not null,
    beat_at timestamptz not null
);

-- One row per pointer to derived files.
create table if not exists lucra.pointers (
    organization text not null,
    name text not null,
    content text not null,
    version bigint not null,
    changed_at timestamptz not null,
    primary key (organization, name)
);

-- One row per organization and kind: the highest number that was claimed.
create table if not exists lucra.numbers (
    organization text not null,
    kind text not null,
    last bigint not null,
    primary key (organization, kind)
);

-- One row per document: credentials, share links, sessions.
create table if not exists lucra.documents (
    name text primary key,
    content text not null,
    version bigint not null,
    changed_at timestamptz not null
);

-- One row per line of a log.
create table if not exists lucra.logs (
    name text not null,
    number bigint not null,
    line jsonb not null,
    primary key (name, number)
);

create or replace function lucra.report_change() returns trigger language plpgsql as $$
begin
    perform pg_notify('${CHANNEL}', tg_table_name || ' ' || tg_argv[0]);
    return null;
end $$;

create or replace trigger pointers_change after insert or update or delete on lucra.pointers
    for each statement execute function lucra.report_change('');
create or replace trigger documents_change after insert or update or delete on lucra.documents
    for each statement execute function lucra.report_change('');
`;
