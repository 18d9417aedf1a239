import type { AnalysisEndpoint, DocumentEndpoint, Member, ModelEndpoint, Part } from "../contract/endpoint.ts";
import type { Fields } from "../contract/field.ts";
import type { Accepted } from "../contract/param.ts";
import { identifier } from "./database.ts";
import type { Statement } from "./kept.ts";
import { pageRange } from "./rows.ts";
import { readSql } from "./sql.ts";

/** The metrics that rows carry, and those that they do not. */
export function selectedMetrics(
  { select }: DocumentEndpoint,
  accepted: Accepted,
): { chosen: string[]; left: string[] } {
  const sent = select && accepted[select.parameter];
  const isChosen = (metric: string): boolean => !sent || String(sent).split(",").includes(metric);
  const metrics = select?.metrics ?? [];
  return { chosen: metrics.filter(isChosen), left: metrics.filter((metric) => !isChosen(metric)) };
}

export const shownParts = ({ parts }: DocumentEndpoint, accepted: Accepted): [string, Part][] =>
  Object.entries(parts).filter(([_, { when }]) => !when || (accepted[when] ?? "false") !== "false");

/** The statements of a document: those of its head and of its parts. */
export function documentStatements(endpoint: DocumentEndpoint, accepted: Accepted): Statement[] {
  const { left } = selectedMetrics(endpoint, accepted);
  const exclude = left.length > 0 ? `select * exclude (${left.map(identifier).join(", ")})` : "";
  return [
    ...(endpoint.head ? [jsonStatement(endpoint.head.sql)] : []),
    ...shownParts(endpoint, accepted).map(([_, { sql, selected }]) => jsonStatement(sql, selected ? exclude : "")),
  ];
}

/** The fields of the envelope that an analysis carries. */
export const envelopeStatement = ({ envelope, withoutSpend }: AnalysisEndpoint | ModelEndpoint): Statement => {
  const column = (name: string): string =>
    withoutSpend && name === "coverage"
      ? "{stores: coverage.stores, accounts: coverage.accounts[:0]} as coverage"
      : identifier(name);
  return jsonStatement("envelope", `select ${envelope.map(column).join(", ")}`);
};

/** The names of the further members of the answer to this request; their declarations unless they are null. */
export const shownMembers = ({ members = {} }: AnalysisEndpoint, accepted: Accepted): [string, Member | undefined][] =>
  Object.entries(members).map(([name, member]) => {
    const { nullIf } = member;
    const isNull = nullIf && ((accepted[nullIf.parameter] ?? null) !== null) === nullIf.isSent;
    return [name, isNull ? undefined : member];
  });

/** The statements of an analysis: its part of the envelope, its rows, and those of its further members. */
export function analysisStatements(endpoint: AnalysisEndpoint, accepted: Accepted): Statement[] {
  const names = Object.keys(shownFields(endpoint, accepted)).map(identifier);
  const columns = [
    `to_json({${names.map((name) => `${name}: ${name}`).join(", ")}})::varchar as text`,
    ...(endpoint.leftOut ? [identifier(endpoint.leftOut.column)] : []),
  ];
  return [
    envelopeStatement(endpoint),
    {
      name: endpoint.sql,
      sql: `select ${columns.join(", ")} from (${readSql(endpoint.sql)})${rangeOf(endpoint, accepted)}`,
    },
    ...shownMembers(endpoint, accepted).flatMap(([_, member]) => (member ? [jsonStatement(member.sql)] : [])),
  ];
}

/** The rows of a page, and the row after it, which shows that there is a next page. */
const rangeOf = ({ paged }: AnalysisEndpoint, accepted: Accepted): string =>
  paged ? ` ${pageRange(accepted, 1)}` : "";

/** The figures that the answer to this request carries. */
export function shownFields({ fields, only }: AnalysisEndpoint, accepted: Accepted): Fields {
  return only && accepted[only.parameter] === null ? without(fields, only.fields) : fields;
}

export const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** A selection of the rows of a SQL file, each as JSON text: the engine writes it, and nothing is converted afterwards. */
export const jsonStatement = (name: string, select = ""): Statement => ({
  name,
  sql: `select to_json(answer)::varchar as text from (${select} from (${readSql(name)})) as answer`,
});
