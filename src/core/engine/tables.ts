import { bookOf, declaredOf } from "../../features/workbooks/book.ts";
import { dialectOf, LOCALES } from "../contract/dialect.ts";
import type {
  AnalysisEndpoint,
  DocumentEndpoint,
  Endpoint,
  ModelEndpoint,
  OnQuery,
  Page,
  TableFile,
  TableQuestion,
  Tables,
} from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { elementsOf } from "../contract/field.ts";
import { wholeText } from "../contract/longText.ts";
import type { Accepted } from "../contract/param.ts";
import { rowFields } from "../contract/record.ts";
import { type Column, columnsOf, plainColumns } from "../contract/table.ts";
import { type Database, identifier, type Session } from "./database.ts";
import { fieldsSql, figuresSql } from "./fieldsSql.ts";
import { type JsonForm, onePageAfter, writeRows } from "./formats/write.ts";
import { type Generations, held, withEngineErrors } from "./generations.ts";
import { materializeMacro } from "./macros.ts";
import { setVariables } from "./parameters.ts";
import type { Models } from "./parts.ts";
import { hasNextPage, pageRange, rowsName, rowsSql } from "./rows.ts";
import type { Spool } from "./spool.ts";
import { readSql } from "./sql.ts";
import {
  analysisStatements,
  documentStatements,
  selectedMetrics,
  shownFields,
  shownParts,
  without,
} from "./statements.ts";
import { documentText, headText, membersText } from "./texts.ts";
import { timed } from "./timed.ts";

/** A table as a query, and the position of its page. */
interface Table {
  /** Name of the SQL file. */
  readonly name: string;
  readonly sql: string;
  readonly page?: Page;
  readonly columns: readonly Column[];
  readonly rowsLeftOut?: number;
  /** What JSON has around all rows. */
  readonly json?: () => Promise<JsonForm>;
}

/**
 * Answers as tables. One query over one generation writes the whole table into the spool; only then is it sent. So a
 * failure occurs before the first byte, and a slow client occupies neither a connection nor a place in the queue.
 */
export class EngineTables implements Tables {
  readonly #database: Database;
  readonly #generations: Generations;
  readonly #spool: Spool;
  readonly #models: Models | undefined;

  constructor(database: Database, generations: Generations, spool: Spool, models?: Models) {
    this.#database = database;
    this.#generations = generations;
    this.#spool = spool;
    this.#models = models;
  }

  /** The file is complete, and no longer depends on those that it was made from. */
  table(asked: TableQuestion, signal: AbortSignal, onQuery: OnQuery = () => {}): Promise<TableFile> {
    return held(this.#generations, asked.organizationId, () => this.#table(asked, signal, onQuery));
  }

  async #table(
    { endpoint, organizationId, accepted, format }: TableQuestion,
    signal: AbortSignal,
    onQuery: OnQuery,
  ): Promise<TableFile> {
    const generation = await this.#generations.current(organizationId);
    const use = (work: (session: Session) => Promise<TableFile>): Promise<TableFile> =>
      withEngineErrors(this.#generations, organizationId, () => this.#database.useUntil(signal, work));
    const models = this.#models;
    if (endpoint.shape === "model" && !models) throw new ApiError("notFound");
    const figures =
      endpoint.shape === "model" &&
      (await withEngineErrors(this.#generations, organizationId, async () =>
        models?.figures(endpoint, generation, signal, onQuery),
      ));
    return use(async (session) => {
      if (figures) await session.set("figures", figures);
      await setVariables(session, generation.folder, { endpoint, accepted });
      const { name, sql, columns, page, rowsLeftOut, json } = await tableOf(session, endpoint, accepted);
      const { locale, hasLabels } = dialectOf(accepted);
      const shown = { locale: locale ?? LOCALES[0], hasLabels: hasLabels && endpoint.shape !== "page" };
      const isBook = format === "xlsx" && locale !== undefined;
      const book = isBook
        ? await bookOf(session, { endpoint, organizationId, accepted, columns, ...shown })
        : undefined;
      const around = json && format === "json" ? { json: await json() } : {};
      const form = { ...around, locale, declared: declaredOf(columns, shown), book };
      const { made: rows, file } = await this.#spool.file((path) =>
        timed(name, onQuery, () => writeRows(session, sql, format, path, form)),
      );
      const { bytes, handle, close } = file;
      if (!signal.aborted) {
        return {
          rows,
          bytes,
          ...(page ? { page } : {}),
          ...(rowsLeftOut ? { rowsLeftOut } : {}),
          content: handle.createReadStream({ autoClose: false }),
          close,
        };
      }
      await close();
      throw new ApiError("timeout");
    });
  }
}

async function tableOf(session: Session, endpoint: Endpoint, accepted: Accepted): Promise<Table> {
  if (endpoint.shape === "page") {
    const sql = rowsSql(endpoint, accepted);
    const name = rowsName(endpoint);
    const table = { name, sql, columns: plainColumns(rowFields(endpoint.record)) };
    return isWhole(accepted) ? table : { ...table, page: await rowsPage(session, endpoint, accepted) };
  }
  if (endpoint.shape === "series") return seriesTable(session, endpoint, accepted);
  if (endpoint.shape === "model") return modelTable(endpoint);
  if (endpoint.shape === "document") return documentTable(session, endpoint, accepted);
  throw new Error(`${endpoint.path} has no table`);
}

const isWhole = ({ all }: Accepted): boolean => all === "true";

async function seriesTable(session: Session, endpoint: AnalysisEndpoint, accepted: Accepted): Promise<Table> {
  const { sql: name, leftOut, materialize: once = [] } = endpoint;
  for (const macro of once) await materializeMacro(session, macro);
  const rows = readSql(name);
  const fields = shownFields(endpoint, accepted);
  const table = { name, sql: fieldsSql(rows, fields), columns: columnsOf(fields) };
  if (isWhole(accepted)) return { ...table, json: () => wholeAnalysis(session, endpoint, accepted) };
  if (endpoint.paged) return pageOfTable(session, table, accepted);
  if (!leftOut) return table;
  const [count = "0"] = await session.texts(`select ${identifier(leftOut.column)} from (${rows}) limit 1`);
  return { ...table, rowsLeftOut: Number(count) };
}

/** An analysis with all its rows as JSON: its envelope before them, and its further members, which are small, after them. */
async function wholeAnalysis(session: Session, endpoint: AnalysisEndpoint, accepted: Accepted): Promise<JsonForm> {
  const [head, rows, ...members] = analysisStatements(endpoint, accepted);
  const [envelope = "{}"] = await session.texts(head?.sql ?? "");
  const before = headText(endpoint, accepted, envelope);
  if (endpoint.paged) return onePageAfter(before);
  const texts: string[][] = [];
  for (const { sql } of members) texts.push(await session.texts(sql));
  const after = wholeText(membersText(endpoint, accepted, texts));
  return { head: before, rows: `select text from (${rows?.sql})`, tail: () => after };
}

async function pageOfTable(session: Session, table: Table, accepted: Accepted): Promise<Table> {
  const { sql } = table;
  const [isMore] = await session.texts(`select count(*) > ${accepted.limit} from (${sql} ${pageRange(accepted, 1)})`);
  return { ...table, sql: `${sql} ${pageRange(accepted, 0)}`, page: pageOf(accepted, isMore) };
}

const pageOf = ({ page, limit }: Accepted, isMore: string | undefined): Page => ({
  page: Number(page),
  limit: Number(limit),
  hasNextPage: isMore === "true",
});

/** The rows among the figures, which are the variable `figures`. */
function modelTable({ sql: name, fields: figures, table }: ModelEndpoint): Table {
  const fields = figures[table] ? elementsOf(figures[table]) : {};
  return { name, sql: figuresSql([table], fields, true), columns: columnsOf(fields) };
}

async function rowsPage(session: Session, endpoint: Endpoint & { shape: "page" }, accepted: Accepted): Promise<Page> {
  const [isMore] = await session.texts(hasNextPage(endpoint, accepted));
  return pageOf(accepted, isMore);
}

async function documentTable(session: Session, endpoint: DocumentEndpoint, accepted: Accepted): Promise<Table> {
  const { head, parts, table = "", pagination, materialize: once = [] } = endpoint;
  const headSql = head && readSql(head.sql);
  if (headSql && (await session.texts(`select 1 from (${headSql})`)).length === 0) throw new ApiError("notFound");
  const part = parts[table];
  if (!part) {
    const unit = head?.fields[table]?.unit;
    if (!head || typeof unit !== "object" || !("array" in unit)) throw new Error(`${endpoint.path} has no ${table}`);
    const sql = fieldsSql(`select unnest(${identifier(table)}, recursive := true) from (${headSql})`, unit.array);
    return { name: head.sql, sql, columns: columnsOf(unit.array) };
  }
  for (const macro of once) await materializeMacro(session, macro);
  const left = part.selected ? selectedMetrics(endpoint, accepted).left : [];
  const fields = without(part.fields, left);
  const made = { name: part.sql, sql: fieldsSql(readSql(part.sql), fields), columns: columnsOf(fields) };
  if (isWhole(accepted)) return { ...made, json: () => wholeDocument(session, endpoint, accepted) };
  const paged = pagination && parts[pagination];
  return paged ? { ...made, page: await documentPage(session, readSql(paged.sql)) } : made;
}

/** A document with all rows of its table as JSON: what has few rows is read before, and split where these rows belong. */
async function wholeDocument(session: Session, endpoint: DocumentEndpoint, accepted: Accepted): Promise<JsonForm> {
  const names = [...(endpoint.head ? [""] : []), ...shownParts(endpoint, accepted).map(([name]) => name)];
  const statements = documentStatements(endpoint, accepted);
  const texts: string[][] = [];
  for (const [no, { sql }] of statements.entries()) {
    texts.push(names[no] === endpoint.table ? [] : await session.texts(sql));
  }
  const rows = statements[names.indexOf(endpoint.table ?? "")]?.sql ?? "";
  const [before = "", after = ""] = wholeText(documentText(endpoint, accepted, texts)).split(`,"${endpoint.table}":[]`);
  return { head: before.slice(1), rows, tail: () => after.slice(0, -1) };
}

async function documentPage(session: Session, sql: string): Promise<Page> {
  const [row] = await session.rows(sql);
  const page = Number(row?.page);
  return { page, limit: Number(row?.pageSize), hasNextPage: page < Number(row?.totalPages) };
}
