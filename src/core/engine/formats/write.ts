import { appendFile } from "node:fs/promises";
import type { Locale } from "../../contract/dialect.ts";
import { ApiError } from "../../contract/error.ts";
import type { Format } from "../../contract/format.ts";
import { identifier, literal, type Session } from "../database.ts";
import { writeCsv } from "./csv.ts";
import { type Described, flat, isDecimal, isInstantColumn } from "./described.ts";
import { MOST_ROWS, writeXlsx } from "./xlsx.ts";

/** The members around the rows in JSON. */
export interface JsonForm {
  /** The members before the rows. */
  readonly head: string;
  /** A query for each row as JSON text; absent: the row's columns. */
  readonly rows?: string;
  /** The members after so many rows. */
  readonly tail: (rows: number) => string;
}

/** Writes the rows of a query to a workbook; returns their number. */
export type WriteBook = (
  session: Session,
  rows: { readonly sql: string; readonly columns: readonly Described[] },
  file: string,
) => Promise<number>;

/** Options of a format. */
export interface Form {
  readonly json?: JsonForm;
  /** For CSV; a workbook has its own. */
  readonly locale?: Locale | undefined;
  /** Declarations of the columns, by their names. */
  readonly declared?: ReadonlyMap<string, Pick<Described, "heading" | "field">>;
  /** Writes the rows as a workbook for people; absent: one plain sheet. */
  readonly book?: WriteBook | undefined;
}

/** The position of the one page that has all rows. It comes after them, so that a truncated file is not valid JSON. */
export const onePage = (rows: number): string =>
  `,"meta":${JSON.stringify({ page: 1, limit: rows, hasNextPage: false, hasPreviousPage: false })}`;

const ONE_PAGE: JsonForm = { head: "", tail: onePage };

/** Writes a query's rows, in order, to a new file in one of the formats; returns their number. */
export async function writeRows(
  session: Session,
  sql: string,
  format: Format,
  file: string,
  { json = ONE_PAGE, locale, declared = new Map(), book }: Form = {},
): Promise<number> {
  const described = await session.columns(sql);
  const columns = described.map((column): Described => ({ ...column, ...declared.get(column.name) }));
  switch (format) {
    case "json":
      return writeJson(session, json.rows ?? lines(columns, sql), file, json);
    case "ndjson":
      return copy(session, lines(columns, sql), file, `${RAW}, new_line '\n'`);
    case "csv":
      return writeCsv(session, sql, columns, file, locale === "pt-BR");
    case "parquet":
      return copy(session, sql, file, "format parquet");
    case "arrow": {
      // Loaded on demand: the library is large and rarely needed.
      const { writeArrow } = await import("./arrow.ts");
      return counted(session, sql, () => writeArrow(session, select(columns.map(flat), columns, sql), columns, file));
    }
    case "xlsx":
      return book
        ? book(session, { sql, columns }, file)
        : counted(session, sql, () => writeXlsx(session, sql, columns, file), MOST_ROWS);
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
    const shown = isInstantColumn(column) ? `instant_text(${value})` : isDecimal(column) ? `${value}::double` : value;
    return `${value}: ${shown}`;
  });
  return `select to_json({${members.join(", ")}})::varchar from (${sql})`;
}

/** An answer with all rows under `data`. */
async function writeJson(session: Session, texts: string, file: string, { head, tail }: JsonForm): Promise<number> {
  const prefix = literal(`{${head && `${head},`}"data":[`);
  const rows = await copy(session, texts, file, `${RAW}, prefix ${prefix}, new_line ',', suffix ']'`);
  await appendFile(file, `${tail(rows)}}`);
  return rows;
}

/** A broken stream may look complete: fails unless all rows were written. */
export async function counted(
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
