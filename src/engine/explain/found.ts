import type { Endpoint } from "../../contract/endpoint.ts";
import { ApiError } from "../../contract/error.ts";
import { type Fields, isMany, isNumber, membersOf } from "../../contract/field.ts";
import { nearest } from "../../contract/nearest.ts";
import { type Named, namedRows, namesOf } from "./rows.ts";
import { type Found, figuresIn, follow, isObject, type Level, tablesIn } from "./tree.ts";

/** What tells apart the rows of a table whose keys are the same, where the answer does not say it. */
export type SourcesOf = (sql: string) => Promise<readonly (string | null)[]>;

/** A figure, and the row that it is in. */
export interface Located {
  readonly found: Found;
  /** The figure as it was asked for. */
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

/** Finds the figure that a request names in an answer, or fails with what there is. */
export async function located(
  endpoint: Endpoint,
  root: Level,
  figure: string,
  row: string | null,
  sourcesOf: SourcesOf,
): Promise<Located> {
  if (row === null) return inAnswer(endpoint, root, figure);
  // An empty row is the null key, or was left empty.
  if (row === "") {
    return inRows(endpoint, root, figure, row, sourcesOf).catch(() => inAnswer(endpoint, root, figure));
  }
  return inRows(endpoint, root, figure, row, sourcesOf);
}

async function inRows(
  endpoint: Endpoint,
  root: Level,
  figure: string,
  row: string,
  sourcesOf: SourcesOf,
): Promise<Located> {
  const tables = tablesOf(endpoint, root.fields);
  if (tables.length === 0) throw refused("row", "Esta resposta não tem linhas.", []);
  const readers = tables.flatMap((table) => {
    const inner = figure.startsWith(`${table.path}.`) ? figure.slice(table.path.length + 1) : figure;
    return [{ ...table, inner, isDeclared: isDeclared(table.fields, inner.split(".")) }];
  });
  const candidates = readers.some(({ isDeclared }) => isDeclared)
    ? readers.filter(({ isDeclared }) => isDeclared)
    : readers.slice(0, 1);
  const known: string[] = [];
  for (const { path, fields, inner } of candidates) {
    const list = follow(root, path.split("."))?.value;
    if (!Array.isArray(list)) continue;
    const names = namesOf(fields, endpoint.tables?.[path]);
    const sources = names.apartSql === undefined ? undefined : await sourcesOf(names.apartSql);
    const rows = namedRows(list, names, sources);
    const named = rows.filter(({ name, longName }) => name === row || longName === row);
    known.push(...rows.map(({ name }) => name));
    const [one] = named;
    if (!one || named.length > 1) continue;
    return { ...inRow(root, path, one, inner), source: sources?.[one.no] };
  }
  throw refused("row", known.length > 0 ? "Linha desconhecida." : "A resposta não tem linhas.", known, row);
}

interface Table {
  readonly path: string;
  readonly fields: Fields;
}

/** The tables of an answer: first those whose rows' names are declared, then `data`. */
function tablesOf({ tables = {} }: Endpoint, fields: Fields): Table[] {
  const order = [...Object.keys(tables), "data"];
  const rank = (path: string): number => (order.includes(path) ? order.indexOf(path) : order.length);
  return tablesIn(fields)
    .map(([path, members]) => ({ path, fields: members }))
    .sort((a, b) => rank(a.path) - rank(b.path));
}

/** Whether a path of names, numbers and keys can be that of a declared field. */
function isDeclared(fields: Fields, [name = "", ...path]: readonly string[]): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field || path.length === 0) return field !== undefined;
  return isDeclared(membersOf(field.unit) ?? {}, isMany(field) ? path.slice(1) : path);
}

function inRow(root: Level, path: string, { no }: Named, inner: string): Omit<Located, "source"> {
  const steps = [...path.split("."), String(no)];
  const found = follow(root, [...steps, ...inner.split(".")]);
  const list = follow(root, path.split("."))?.value;
  const row = Array.isArray(list) ? list[no] : undefined;
  const fields = tablesIn(root.fields).find(([name]) => name === path)?.[1] ?? {};
  if (!found || !isFigure(found)) throw notAFigure(inner, fields, isObject(row) ? Object.keys(row) : []);
  return { found, figure: inner, base: steps.length };
}

function inAnswer(endpoint: Endpoint, root: Level, figure: string): Located {
  const found = follow(root, figure.split("."));
  if (found && isFigure(found)) return { found, figure, base: 0, source: undefined };
  const ofRows = tablesOf(endpoint, root.fields).find(({ path, fields }) =>
    isDeclared(fields, (figure.startsWith(`${path}.`) ? figure.slice(path.length + 1) : figure).split(".")),
  );
  if (!found && ofRows) {
    const list = follow(root, ofRows.path.split("."))?.value;
    const rows = namedRows(Array.isArray(list) ? list : [], namesOf(ofRows.fields, endpoint.tables?.[ofRows.path]));
    throw refused(
      "row",
      "O parâmetro row é obrigatório com este número.",
      rows.map(({ name }) => name),
    );
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
