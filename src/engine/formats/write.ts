import { appendFile } from "node:fs/promises";
import { ApiError } from "../../contract/error.ts";
import type { Format } from "../../contract/format.ts";
import { identifier, literal, type Session } from "../database.ts";
import { MOST_ROWS, writeXlsx } from "./xlsx.ts";

/** A column of a query, as the engine describes it. */
export interface Described {
  readonly name: string;
  readonly type: string;
}

export const isInstant = ({ type }: Described): boolean => type === "TIMESTAMP WITH TIME ZONE";
export const isDecimal = ({ type }: Described): boolean => type.startsWith("DECIMAL(");
export const isNested = ({ type }: Described): boolean => /^(STRUCT|MAP|UNION)\(|\]$|^VARIANT$/.test(type);
export const isText = ({ type }: Described): boolean => /^(VARCHAR|JSON|UUID|ENUM\()/.test(type);

/** A nested column as JSON text, for formats whose cells hold a single value. */
export const flat = (column: Described): string =>
  isNested(column) ? `to_json(${identifier(column.name)})::varchar` : identifier(column.name);

/**
 * Writes a query's rows, in order, to a new file in one of the formats; returns their number. `head`: the members before
 * the rows, in JSON.
 */
export async function writeRows(
  session: Session,
  sql: string,
  format: Format,
  file: string,
  head = "",
): Promise<number> {
  const columns = await session.columns(sql);
  switch (format) {
    case "json":
      return writeJson(session, sql, columns, file, head);
    case "ndjson":
      return copy(session, lines(columns, sql), file, `${RAW}, new_line '\n'`);
    case "csv":
      return copy(session, csvRows(columns, sql), file, "format csv, header, new_line '\r\n'");
    case "parquet":
      return copy(session, sql, file, "format parquet");
    case "arrow": {
      // Loaded on demand: the library is large and rarely needed.
      const { writeArrow } = await import("./arrow.ts");
      return counted(session, sql, () => writeArrow(session, select(columns.map(flat), columns, sql), columns, file));
    }
    case "xlsx":
      return counted(session, sql, () => writeXlsx(session, sql, columns, file), MOST_ROWS);
  }
}

const select = (values: readonly string[], columns: readonly Described[], sql: string): string =>
  `select ${values.map((value, n) => `${value} as ${identifier(columns[n]?.name ?? "")}`).join(", ")} from (${sql})`;

async function copy(session: Session, sql: string, file: string, options: string): Promise<number> {
  const [result] = await session.rows(`copy (${sql}) to ${literal(file)} (${options})`);
  return Number(result?.Count);
}

/** Options that write one text column unchanged. */
const RAW = "format csv, header false, delimiter '', quote '', escape ''";

/** Each row as JSON: instants as in the answers, money as a number. */
function lines(columns: readonly Described[], sql: string): string {
  const members = columns.map((column) => {
    const value = identifier(column.name);
    const shown = isInstant(column) ? `instant_text(${value})` : isDecimal(column) ? `${value}::double` : value;
    return `${value}: ${shown}`;
  });
  return `select to_json({${members.join(", ")}})::varchar from (${sql})`;
}

/** A paged answer with all rows on one page. `meta` comes last, so that a truncated file is not valid JSON. */
async function writeJson(
  session: Session,
  sql: string,
  columns: readonly Described[],
  file: string,
  head: string,
): Promise<number> {
  const prefix = literal(`{${head && `${head},`}"data":[`);
  const rows = await copy(session, lines(columns, sql), file, `${RAW}, prefix ${prefix}, new_line ',', suffix ']'`);
  const meta = { page: 1, limit: rows, hasNextPage: false, hasPreviousPage: false };
  await appendFile(file, `,"meta":${JSON.stringify(meta)}}`);
  return rows;
}

/** Converts to text first, since a cell reads its text several times. */
function csvRows(columns: readonly Described[], sql: string): string {
  const texts = columns.map((column) => (isText(column) ? `${flat(column)}::varchar` : flat(column)));
  return select(columns.map(csvCell), columns, select(texts, columns, sql));
}

/** Positions where some program begins a cell: programs split at commas, semicolons or tabs, and some ignore quotes. */
const BEGINNING = "(^|[;\\t\\r\\n])";
/** Characters that a program may skip before a formula; with apostrophes, so that an added one can be removed exactly. */
const SKIPPED = "[\\p{Cc}\\p{Z}\\x{FEFF}\"'']*";
/** `=`, `+`, `-`, `@`, and the characters that Unicode's compatibility forms (NFKC) change into one of them. */
const FORMULA_SIGN = "[=+@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠-]";

/**
 * A text that a spreadsheet could read as a formula gets an apostrophe before the sign. Cheap tests sort out most texts,
 * which begin with a letter or a digit and have no separators. Each test is a comparison: a list of characters would
 * become a join, and `copy` preserves the order of rows only without one.
 */
function csvCell(column: Described): string {
  const value = identifier(column.name);
  if (isInstant(column)) return `instant_text(${value})`;
  if (!isText(column) && !isNested(column)) return value;
  const first = `ord(${value})`;
  const suspicions = [
    `${first} < ord('0') or ${first} = ord('=') or ${first} = ord('@') or ${first} >= 127`,
    ...["';'", "chr(9)", "chr(13)", "chr(10)"].map((separator) => `contains(${value}, ${separator})`),
  ];
  const pattern = `'${BEGINNING}(${SKIPPED})(${FORMULA_SIGN})'`;
  return `case when ${suspicions.join(" or ")}
    then regexp_replace(${value}, ${pattern}, '\\1\\2''\\3', 'g') else ${value} end`;
}

/** A broken stream may look complete: fails unless all rows were written. */
async function counted(
  session: Session,
  sql: string,
  write: () => Promise<number>,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  const expected = Number((await session.texts(`select count(*) from (${sql})`))[0]);
  if (expected > most) throw new ApiError("doesNotFit");
  const rows = await write();
  if (rows !== expected) throw new Error(`${rows} of ${expected} rows were written`);
  return rows;
}
