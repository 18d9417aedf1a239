import { dialectOf, LOCALES } from "../contract/dialect.ts";
import {
  isOfRecord,
  needsStore,
  type Page,
  type RequestContext,
  ROOT,
  STORE_FILE,
  type TableFile,
  type Tables,
  tableOf,
} from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { wholeText } from "../contract/longText.ts";
import type { Accepted } from "../contract/param.ts";
import { type Column, columnsOf, plainColumns } from "../contract/table.ts";
import { type MainTable, mainTable } from "./answerTables.ts";
import { identifier, type Session } from "./database.ts";
import { envelopeStatement, envelopeText, knownText } from "./envelope.ts";
import { type JsonForm, onePage, writeRows } from "./formats/write.ts";
import { withEngineErrors } from "./generations.ts";
import { materializeMacro } from "./macros.ts";
import { membersText, type PartRows, type ShownPart, shownParts, statementOf } from "./parts.ts";
import type { Models, Workbooks } from "./ports.ts";
import { inSession, openReading, type Reading, type Source } from "./reading.ts";
import { hasNextPage, pageRange } from "./rows.ts";
import type { Spool } from "./spool.ts";
import { readSql } from "./sql.ts";
import { timed } from "./timed.ts";

/** A table as a query, and the position of its page. */
interface Table {
  /** Name of the SQL file. */
  readonly name: string;
  readonly sql: string;
  readonly page?: Page;
  readonly columns: readonly Column[];
  readonly rowsLeftOut?: number;
  /** The members around all rows in JSON. */
  readonly json?: () => Promise<JsonForm>;
}

interface Further {
  /** Computes the figures of models; without it their endpoints are not found. */
  readonly models?: Models | undefined;
  /** Without it spreadsheets are plain, and headings are names. */
  readonly workbooks?: Workbooks | undefined;
}

/**
 * Answers as tables. One query over one generation writes the whole table into the spool; only then is it sent. So a
 * failure occurs before the first byte, and a slow client occupies neither a connection nor a place in the queue.
 */
export class EngineTables implements Tables {
  readonly #source: Source;
  readonly #spool: Spool;
  readonly #further: Further;

  constructor(source: Source, spool: Spool, further: Further = {}) {
    this.#source = source;
    this.#spool = spool;
    this.#further = further;
  }

  /** The file is complete, and no longer depends on those that it was made from. */
  async table(context: RequestContext): Promise<TableFile> {
    const reading = openReading(this.#source, context);
    try {
      const figures = await this.#figures(reading);
      return await inSession(this.#source, reading, async (session) => {
        if (figures !== undefined) await session.set("figures", figures);
        return this.#written(session, reading);
      });
    } finally {
      reading.release();
    }
  }

  /** Those of a model, as JSON text. */
  async #figures(reading: Reading): Promise<string | undefined> {
    const { endpoint, organizationId, generation, generations, signal, onQuery } = reading;
    if (endpoint.by !== "model") return undefined;
    const { models } = this.#further;
    if (!models) throw new ApiError("notFound");
    return withEngineErrors(generations, organizationId, async () =>
      models.figures(endpoint, await generation, signal, onQuery),
    );
  }

  async #written(session: Session, context: RequestContext): Promise<TableFile> {
    const { endpoint, organizationId, accepted, format, signal, onQuery } = context;
    const { workbooks } = this.#further;
    const { name, sql, columns, page, rowsLeftOut, json } = await readTable(session, context);
    const { locale, hasLabels } = dialectOf(accepted);
    const shown = { locale: locale ?? LOCALES[0], hasLabels: hasLabels && !isOfRecord(endpoint) };
    const isBook = format === "xlsx" && locale !== undefined;
    const form = {
      locale,
      ...(json && format === "json" ? { json: await json() } : {}),
      ...(workbooks ? { declared: workbooks.declaredOf(columns, shown) } : {}),
      book: isBook
        ? await workbooks?.bookOf(session, { endpoint, organizationId, accepted, columns, ...shown })
        : undefined,
    };
    const { made: rows, file } = await this.#spool.file((path) =>
      timed(name, onQuery, () => writeRows(session, sql, format, path, form)),
    );
    const { bytes, handle, close } = file;
    if (signal.aborted) {
      await close();
      throw new ApiError("timeout");
    }
    return {
      rows,
      bytes,
      ...(page ? { page } : {}),
      ...(rowsLeftOut ? { rowsLeftOut } : {}),
      content: handle.createReadStream({ autoClose: false }),
      close,
    };
  }
}

async function readTable(session: Session, context: RequestContext): Promise<Table> {
  const { endpoint, accepted } = context;
  const main = mainTable(endpoint, accepted);
  const root = endpoint.parts[ROOT];
  const required = [root?.required ? root.sql : undefined, needsStore(endpoint, accepted) ? STORE_FILE : undefined];
  for (const file of required)
    if (file && (await session.texts(`select 1 from (${readSql(file)})`)).length === 0) throw new ApiError("notFound");
  for (const macro of endpoint.materialize ?? []) await materializeMacro(session, macro);
  const isWhole = accepted.all === "true";
  const columns = main.part?.part.record ? plainColumns(main.fields) : columnsOf(main.fields);
  return {
    name: main.file,
    columns,
    sql: main.sql,
    ...(isWhole ? { json: () => wholeAnswer(session, context, main.part) } : await cut(session, context, main)),
  };
}

/** The position of a page, or the number of rows left out. */
async function cut(
  session: Session,
  { endpoint, accepted }: RequestContext,
  { sql, file, part }: MainTable,
): Promise<Partial<Table>> {
  const { record, paged, leftOut } = part?.part ?? {};
  if (record) return { page: await pageOf(session, accepted, hasNextPage(record, accepted)) };
  if (paged) {
    const isMore = `select count(*) > ${accepted.limit} from (${sql} ${pageRange(accepted, 1)})`;
    return { sql: `${sql} ${pageRange(accepted, 0)}`, page: await pageOf(session, accepted, isMore) };
  }
  const position = endpoint.pagination && endpoint.parts[endpoint.pagination];
  if (position) return { page: await declaredPage(session, readSql(position.sql ?? "")) };
  if (!leftOut) return {};
  const [count = "0"] = await session.texts(`select ${identifier(leftOut.column)} from (${readSql(file)}) limit 1`);
  return { rowsLeftOut: Number(count) };
}

async function pageOf(session: Session, { page, limit }: Accepted, isMoreSql: string): Promise<Page> {
  const [isMore] = await session.texts(isMoreSql);
  return { page: Number(page), limit: Number(limit), hasNextPage: isMore === "true" };
}

async function declaredPage(session: Session, sql: string): Promise<Page> {
  const [row] = await session.rows(sql);
  const page = Number(row?.page);
  return { page, limit: Number(row?.pageSize), hasNextPage: page < Number(row?.totalPages) };
}

/** An answer with all rows of its table as JSON: the other parts, which have few rows, are read before. */
async function wholeAnswer(
  session: Session,
  { endpoint, accepted, known, compared }: RequestContext,
  main: ShownPart | undefined,
): Promise<JsonForm> {
  const table = tableOf(endpoint, accepted);
  const parts = new Map<string, PartRows>([[table, { texts: [], isWhole: true }]]);
  for (const one of shownParts(endpoint, accepted)) {
    const statement = one.isNull || one.name === table ? undefined : statementOf(one, accepted);
    if (statement) parts.set(one.name, { texts: await session.texts(statement.sql) });
  }
  const [row] = endpoint.envelope ? await session.texts(envelopeStatement().sql) : [];
  const members = membersText(endpoint, accepted, { envelope: row && envelopeText(endpoint, accepted, row), parts });
  const at = members.findIndex(({ name }) => name === table);
  const textOf = (some: typeof members): string[] => some.map(({ text }) => wholeText(text));
  const after = textOf(members.slice(at + 1))
    .map((text) => `,${text}`)
    .join("");
  const rows = main && statementOf(main, accepted, true);
  return {
    head: [...(known ? [knownText(known, compared)] : []), ...textOf(members.slice(0, at))].join(","),
    ...(rows && !main.part.record ? { rows: `select text from (${rows.sql})` } : {}),
    tail: (count) => `${main?.part.paged ? onePage(count) : ""}${after}`,
  };
}
