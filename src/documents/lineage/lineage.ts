import { comparesStates, type Endpoint, filesOf } from "../../core/contract/endpoint.ts";
import type { Accepted } from "../../core/contract/param.ts";
import { relationOf } from "../../core/contract/record.ts";
import type { Session } from "../../core/engine/database.ts";
import { setParameters } from "../../core/engine/parameters.ts";
import { readSql, stagingMacros } from "../../core/engine/sql.ts";
import { coreSql } from "../../core/marts/build.ts";
import { CORE } from "../../core/marts/relations.ts";
import { exported } from "../../core/records/index.ts";
import { planOf, withCatalog } from "./catalog.ts";
import { columnSources, tablesOf } from "./plan.ts";

/** A column, and what it is made of. */
export interface Made {
  readonly name: string;
  readonly of: readonly string[];
}

export interface Lineage {
  /** Per SQL file that an endpoint runs; `reads`: its relations. */
  readonly answers: readonly {
    readonly file: string;
    readonly reads: readonly string[];
    readonly columns: readonly Made[];
  }[];
  readonly relations: readonly { readonly relation: string; readonly columns: readonly Made[] }[];
  /** Per record, its fields and the keys of the vendor's object. */
  readonly records: readonly { readonly record: string; readonly columns: readonly Made[] }[];
  /** The fields of records that columns of relations come from in the end, by record. */
  fields(columns: readonly string[]): ReadonlyMap<string, readonly string[]>;
}

/** Sources of every column of the answers, the relations and the records. */
export const lineage = (endpoints: readonly Endpoint[]): Promise<Lineage> =>
  withCatalog(async (session) => {
    const keys = await keysIn(session);
    const relations: { relation: string; columns: Made[] }[] = [];
    for (const { name, surrogate } of CORE) {
      const columns = (await made(session, keys, coreSql(name))).map((column) =>
        column.name === surrogate?.column ? { ...column, of: [surrogate.of] } : column,
      );
      relations.push({ relation: name, columns });
    }
    const answers: { file: string; reads: string[]; columns: Made[] }[] = [];
    // Those that compare states read the same relations of each.
    for (const endpoint of endpoints.filter((one) => !comparesStates(one))) {
      for (const file of filesOf(endpoint).filter((one) => !answers.some((known) => known.file === one))) {
        const sql = readSql(file);
        const plans: { reads: string[]; sources: string[][] }[] = [];
        for (const accepted of presets(endpoint)) {
          await setParameters(session, endpoint.params, accepted);
          const plan = await planOf(session, sql);
          plans.push({ reads: tablesOf(plan), sources: sourcesIn(plan, keys) });
        }
        const columns = await session.columns(sql);
        answers.push({
          file,
          reads: distinct(plans.flatMap(({ reads }) => reads)),
          columns: columns.map(({ name }, no) => ({
            name,
            of: distinct(plans.flatMap(({ sources }) => sources[no] ?? [])),
          })),
        });
      }
    }
    const records = await recordsOf(session, keys);
    return { answers, relations, records, fields: (columns) => fieldsOf(columns, relations) };
  });

/**
 * The default parameters, and each value of those that some fields require or that break the answer down: an analysis may read other
 * relations then.
 */
function presets(endpoint: Endpoint): Accepted[] {
  const params = Object.entries(endpoint.params);
  const usual = Object.fromEntries(
    params.map(([name, param]) => [name, "fallback" in param ? (param.fallback ?? null) : null]),
  );
  const required = Object.values(endpoint.parts).flatMap(({ only }) => only?.parameter ?? []);
  const varied = params.flatMap(([name, param]) =>
    param.kind === "crossing" || (param.kind === "choice" && required.includes(name))
      ? param.of.map((value) => ({ ...usual, [name]: value }))
      : [],
  );
  return [usual, ...varied];
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** The columns of the relations' keys. */
type Keys = ReadonlyMap<string, readonly string[]>;

async function keysIn(session: Session): Promise<Keys> {
  const keys = new Map<string, readonly string[]>();
  for (const { name, key = [] } of CORE) {
    const columns = key.length > 0 ? await session.columns(`select ${key.join(", ")} from ${name}`) : [];
    keys.set(
      name,
      columns.map((column) => column.name),
    );
  }
  return keys;
}

async function made(session: Session, keys: Keys, sql: string): Promise<Made[]> {
  const sources = sourcesIn(await planOf(session, sql), keys);
  const columns = await session.columns(sql);
  return columns.map(({ name }, no) => ({ name, of: sources[no] ?? [] }));
}

/** What each column of a query is made of. */
const sourcesIn = (plan: unknown, keys: Keys): string[][] =>
  columnSources(plan, (table) => keys.get(table) ?? []).map(({ all }) =>
    [...all].filter((source) => !source.startsWith("known_customers.")).sort(),
  );

/** The mappings read `vendor_rows`, those of own tables `plain_rows`; `vendor_contexts` only determines how rows are read. */
async function recordsOf(session: Session, keys: Keys): Promise<Lineage["records"]> {
  await session.run(`create table vendor_rows (file_no int, position bigint, report int, "row" varchar);
    create table plain_rows as from vendor_rows;
    create table vendor_contexts (file_no int, report int, key varchar, context varchar)`);
  const records = [];
  for (const record of exported) {
    await session.run(stagingMacros(record.connector));
    const columns = await made(session, keys, readSql(`staging/${record.connector}/${record.name}`));
    records.push({
      record: `${record.connector}/${record.name}`,
      columns: columns
        .filter(({ name }) => Object.hasOwn(record.fields, name))
        .map(({ name, of }) => ({ name, of: of.flatMap(keyIn) })),
    });
  }
  return records;
}

/** `vendor_rows.row.campaign.id` → `campaign.id`; the column of an own table likewise. */
function keyIn(source: string): string[] {
  const key = /^(?:vendor|plain)_rows\.row\.(.+?)(?:\.\$)?$/.exec(source)?.[1];
  return key === undefined ? [] : [key];
}

/** Follows columns through the relations to the fields of records. */
function fieldsOf(columns: readonly string[], relations: Lineage["relations"]): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const follow = (source: string): void => {
    if (seen.has(source)) return;
    seen.add(source);
    const [, from = "", column = "", member = ""] = /^((?:staging\.)?\w+)\.(\w+)(.*)$/.exec(source) ?? [];
    const record = exported.find((one) => `staging.${relationOf(one)}` === from);
    if (record && Object.hasOwn(record.fields, column)) {
      const name = `${record.connector}/${record.name}`;
      fields.set(name, (fields.get(name) ?? new Set()).add(column + member));
    }
    const known = relations.find((one) => one.relation === from)?.columns.find(({ name }) => name === column);
    for (const next of known?.of ?? []) follow(next);
  };
  for (const column of columns) follow(column);
  return new Map([...fields].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, found]) => [name, [...found].sort()]));
}
