import type { AnalysisEndpoint, DocumentEndpoint, Endpoint, ModelEndpoint } from "../contract/endpoint.ts";
import { elementsOf, type Field, type Fields } from "../contract/field.ts";
import type { Accepted } from "../contract/param.ts";
import { identifier } from "./database.ts";
import { fieldsSql, figuresSql, isObject } from "./fieldsSql.ts";
import { readSql } from "./sql.ts";
import { selectedMetrics, shownMembers, shownParts, without } from "./statements.ts";

/** A table of an answer next to its main one: its name in the answer, its rows, and what they have. */
export interface FurtherTable {
  readonly name: string;
  readonly sql: string;
  readonly fields: Fields;
}

/** The further tables of the answer to a request; an object is a table of one row. */
export function furtherTables(endpoint: Endpoint, accepted: Accepted): FurtherTable[] {
  switch (endpoint.shape) {
    case "series":
      return ofMembers(endpoint, accepted);
    case "document":
      return [...ofHead(endpoint), ...ofParts(endpoint, accepted)];
    case "model":
      return ofModel(endpoint);
    default:
      return [];
  }
}

const ofMembers = (endpoint: AnalysisEndpoint, accepted: Accepted): FurtherTable[] =>
  shownMembers(endpoint, accepted).flatMap(([name, member]) =>
    member ? [{ name, sql: fieldsSql(readSql(member.sql), member.fields), fields: member.fields }] : [],
  );

function ofParts(endpoint: DocumentEndpoint, accepted: Accepted): FurtherTable[] {
  const { left } = selectedMetrics(endpoint, accepted);
  return shownParts(endpoint, accepted)
    .filter(([name, { rows }]) => rows === "many" && name !== endpoint.table)
    .map(([name, part]) => {
      const fields = part.selected ? without(part.fields, left) : part.fields;
      return { name, sql: fieldsSql(readSql(part.sql), fields), fields };
    });
}

/** The arrays among the head's figures, and in its objects. */
function ofHead({ head, table }: DocumentEndpoint): FurtherTable[] {
  if (!head) return [];
  return arraysOf(head.fields).flatMap(([path, fields]) => {
    if (path.length === 1 && path[0] === table) return [];
    const rows = `select unnest(${path.map(identifier).join(".")}, recursive := true) from (${readSql(head.sql)})`;
    return [{ name: path[0] ?? "", sql: fieldsSql(rows, fields), fields }];
  });
}

function ofModel({ fields: figures, table }: ModelEndpoint): FurtherTable[] {
  const objects = Object.entries(figures).flatMap(([name, { unit }]): FurtherTable[] => {
    if (!isObject(unit)) return [];
    const fields = without(
      unit.object,
      Object.keys(unit.object).filter((member) => isArray(unit.object[member])),
    );
    return [{ name, sql: figuresSql([name], fields, false), fields }];
  });
  const arrays = arraysOf(figures)
    .filter(([path]) => path.join() !== table)
    .map(([path, fields]) => ({ name: path.at(-1) ?? "", sql: figuresSql(path, fields, true), fields }));
  return [...objects, ...arrays];
}

const isArray = (field: Field | undefined): boolean => field !== undefined && Object.keys(elementsOf(field)).length > 0;

/** The arrays of objects among the fields, and in objects among them, by their paths. */
const arraysOf = (fields: Fields): [path: readonly string[], fields: Fields][] =>
  Object.entries(fields).flatMap(([name, field]): [readonly string[], Fields][] => {
    if (isArray(field)) return [[[name], elementsOf(field)]];
    if (!isObject(field.unit)) return [];
    return arraysOf(field.unit.object).map(([path, inner]) => [[name, ...path], inner]);
  });
