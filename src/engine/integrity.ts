import { readdir } from "node:fs/promises";
import path from "node:path";
import type { AnalysisEndpoint, Endpoint } from "../contract/endpoint.ts";
import type { Accepted, Params } from "../contract/param.ts";
import { SQL } from "../paths.ts";
import { readSql, setParameters } from "./answers.ts";
import { identifier, type Row, type Session } from "./database.ts";

/** What a query found that must not be. */
export interface Offence {
  readonly query: string;
  readonly rows: readonly Row[];
}

/** The queries of `sql/integrity`: each says what must hold, and returns what offends against it. */
export async function integrityQueries(): Promise<string[]> {
  const files = await readdir(path.join(SQL, "integrity"));
  return files
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.replace(/\.sql$/, ""))
    .sort();
}

const isCompared = (endpoint: Endpoint): endpoint is AnalysisEndpoint =>
  (endpoint.shape === "object" || endpoint.shape === "series") && /^(profitability|acquisition)\//.test(endpoint.sql);

/**
 * Runs the integrity queries over the derived files that the session's `marts` names. The analyses whose answers they
 * compare stand as tables named after their files: `profitability_cards`.
 */
export async function offences(
  session: Session,
  endpoints: readonly Endpoint[],
  accepted: Accepted,
): Promise<Offence[]> {
  const analyses = endpoints.filter(isCompared);
  const params: Params = Object.assign({}, ...analyses.map((endpoint) => endpoint.params));
  await setParameters(session, params, accepted);
  for (const { sql } of analyses) {
    const table = identifier(sql.replaceAll(/[/-]/g, "_"));
    await session.run(`create or replace temp table ${table} as ${await readSql(sql)}`);
  }
  const found: Offence[] = [];
  for (const query of await integrityQueries()) {
    const rows = await session.rows(await readSql(`integrity/${query}`));
    if (rows.length > 0) found.push({ query, rows });
  }
  return found;
}
