import type { Endpoint } from "../../core/contract/endpoint.ts";
import { ApiError } from "../../core/contract/error.ts";
import { type Fields, isMany, isNumber, membersOf } from "../../core/contract/field.ts";
import { nearest } from "../../core/contract/nearest.ts";
import { type Named, namedRows, namesOf } from "./rowNames.ts";
import { type Found, figuresIn, follow, isObject, type Level, tablesIn } from "./tree.ts";

/** By SQL file: what distinguishes rows with the same key where the answer does not say it, a value for each row. */
export type Sources = ReadonlyMap<string, readonly (string | null)[]>;

/** A figure, and the row that it is in. */
export interface Located {
  readonly found: Found;
  /** The figure as it was requested, without the path of its table. */
  readonly figure: string;
  /** The steps of its path that lead to the row. */
  readonly base: number;
  readonly source: string | null | undefined;
}

const MOST_LISTED = 200;

function refused(parameter: "figure" | "row", said: string, known: readonly string[], sent = ""): ApiError {
  const guess = nearest(sent, known);
  const shown = known.slice(0, MOST_LISTED);
  const more = known.length > shown.length ? ` … (${known.length})` : "";
  const parts = [
    said,
    guess && guess !== sent ? `Você quis dizer ${guess}?` : "",
    known.length > 0 ? `Há: ${shown.join(", ")}${more}.` : "",
  ];
  return new ApiError("invalid", [{ parameter, message: parts.filter(Boolean).join(" ") }]);
}

/** The SQL files whose values are needed to name the rows that have the figure. */
export function filesOfSources(endpoint: Endpoint, fields: Fields, figure: string): string[] {
  const named = tablesHaving(tablesOf(endpoint, fields), figure).map(
    ({ path, fields: members }) => namesOf(members, endpoint.tables?.[path]).apartSql,
  );
  return [...new Set(named.filter((file) => file !== undefined))];
}

/** Finds the figure that a request names in an answer. Fails with the names that there are. */
export function locate(endpoint: Endpoint, root: Level, figure: string, row: string | null, sources: Sources): Located {
  if (row === null) return inAnswer(endpoint, root, figure);
  if (row !== "") return inRows(endpoint, root, figure, row, sources);
  // An empty row is the null key, or was left empty.
  try {
    return inRows(endpoint, root, figure, row, sources);
  } catch {
    return inAnswer(endpoint, root, figure);
  }
}

function inRows(endpoint: Endpoint, root: Level, figure: string, row: string, all: Sources): Located {
  const known: string[] = [];
  const tables = tablesOf(endpoint, root.fields);
  if (tables.length === 0) throw refused("row", "Esta resposta não tem linhas.", []);
  for (const { path, fields } of tablesHaving(tables, figure)) {
    const list = rowsAt(root, path);
    if (!list) continue;
    const names = namesOf(fields, endpoint.tables?.[path]);
    const sources = names.apartSql === undefined ? undefined : all.get(names.apartSql);
    const rows = namedRows(list, names, sources);
    const [named, ...others] = rows.filter(({ name, longName }) => name === row || longName === row);
    known.push(...rows.map(({ name }) => name));
    // The rows of a key that only their sources distinguish, which the answer does not have: the first of them.
    const one = named ?? (sources && rows.find(({ key }) => key === row));
    if (!one || others.length > 0) continue;
    return { ...inRow(root, { path, fields }, one, inTable(path, figure)), source: sources?.[one.no] };
  }
  throw refused("row", known.length > 0 ? "Linha desconhecida." : "A resposta não tem linhas.", known, row);
}

interface Table {
  readonly path: string;
  readonly fields: Fields;
}

/** The tables whose rows have the figure; if none has, the first one. */
function tablesHaving(tables: readonly Table[], figure: string): readonly Table[] {
  const having = tables.filter((table) => hasFigure(table, figure));
  return having.length > 0 ? having : tables.slice(0, 1);
}

/** The lists of an answer whose rows have figures: first those whose rows' names are declared, then `data`. */
function tablesOf({ tables = {} }: Endpoint, fields: Fields): Table[] {
  const order = [...Object.keys(tables), "data"];
  const rank = (path: string): number => (order.includes(path) ? order.indexOf(path) : order.length);
  return tablesIn(fields)
    .filter(([, members]) => figuresIn(members).length > 0)
    .map(([path, members]) => ({ path, fields: members }))
    .sort((a, b) => rank(a.path) - rank(b.path));
}

const hasFigure = ({ path, fields }: Table, figure: string): boolean =>
  isDeclared(fields, inTable(path, figure).split("."));

/** The figure's path in a row of the table. */
const inTable = (path: string, figure: string): string =>
  figure.startsWith(`${path}.`) ? figure.slice(path.length + 1) : figure;

/** The rows of a table; undefined if it is null or the answer does not have it. */
function rowsAt(root: Level, path: string): readonly unknown[] | undefined {
  const list = follow(root, path.split("."))?.value;
  return Array.isArray(list) ? list : undefined;
}

/** Whether a path of names, numbers and keys can be that of a declared field. */
function isDeclared(fields: Fields, [name = "", ...path]: readonly string[]): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field || path.length === 0) return field !== undefined;
  return isDeclared(membersOf(field.unit) ?? {}, isMany(field) ? path.slice(1) : path);
}

function inRow(root: Level, { path, fields }: Table, { no }: Named, figure: string): Omit<Located, "source"> {
  const steps = [...path.split("."), String(no)];
  const found = follow(root, [...steps, ...figure.split(".")]);
  if (found && isFigure(found)) return { found, figure, base: steps.length };
  const row = rowsAt(root, path)?.[no];
  throw notAFigure(figure, fields, isObject(row) ? Object.keys(row) : []);
}

function inAnswer(endpoint: Endpoint, root: Level, figure: string): Located {
  const found = follow(root, figure.split("."));
  if (found && isFigure(found)) return { found, figure, base: 0, source: undefined };
  const table = tablesOf(endpoint, root.fields).find((one) => hasFigure(one, figure));
  if (!found && table) {
    const rows = namedRows(rowsAt(root, table.path) ?? [], namesOf(table.fields, endpoint.tables?.[table.path]));
    const known = rows.map(({ name }) => name);
    throw refused("figure", "O parâmetro row é obrigatório com este número.", known);
  }
  throw notAFigure(figure, root.fields, Object.keys(root.value), nullAbove(root, figure));
}

/** A number, or the null in its place; also the null in the place of an object that has numbers. */
const isFigure = ({ field, value }: Found): boolean =>
  isNumber(field)
    ? value === null || typeof value === "number"
    : value === null && typeof field.unit === "object" && "object" in field.unit;

function nullAbove(root: Level, figure: string): string {
  const steps = figure.split(".");
  for (let length = 1; length < steps.length; length++) {
    const above = follow(root, steps.slice(0, length));
    if (above?.value === null) return `${steps.slice(0, length).join(".")} é nulo nesta resposta.`;
  }
  return "";
}

function notAFigure(figure: string, fields: Fields, present: readonly string[], why = ""): ApiError {
  const shown = Object.fromEntries(Object.entries(fields).filter(([name]) => present.includes(name)));
  return refused("figure", why || "Número desconhecido.", figuresIn(shown), figure);
}
