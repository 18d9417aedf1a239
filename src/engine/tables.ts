import type {
  AnalysisEndpoint,
  DocumentEndpoint,
  Endpoint,
  ModelEndpoint,
  OnQuery,
  Page,
  TableFile,
  Tables,
} from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { elementsOf, type Fields, type Unit } from "../contract/field.ts";
import type { Format } from "../contract/format.ts";
import type { Accepted } from "../contract/param.ts";
import { type Column, columnName, columnsOf, columnType, unnestedField } from "../contract/table.ts";
import type { Spool } from "../files/spool.ts";
import { type Generations, materializeMacro, rowsName, timed, withEngineErrors } from "./answers.ts";
import { type Database, identifier, literal, type Session } from "./database.ts";
import { writeRows } from "./formats/write.ts";
import { FittedModels } from "./models.ts";
import { setParameters } from "./parameters.ts";
import { hasNextPage, pageRange, rowsSql } from "./rows.ts";
import { readSql } from "./sql.ts";
import { envelopeStatement, selectedMetrics, shownFields, without } from "./statements.ts";
import { headText } from "./texts.ts";

/** A table as a query, and the position of its page. */
interface Table {
  /** Name of the SQL file. */
  readonly name: string;
  readonly sql: string;
  readonly page?: Page;
  readonly rowsLeftOut?: number;
  /** The members of the answer before the rows, in JSON. */
  readonly head?: string;
}

/**
 * Answers as tables. One query over one generation writes the whole table into the spool; only then is it sent. So a
 * failure occurs before the first byte, and a slow client occupies neither a connection nor a place in the queue.
 */
export class EngineTables implements Tables {
  readonly #database: Database;
  readonly #generations: Generations;
  readonly #spool: Spool;
  readonly #models: FittedModels;

  constructor(database: Database, generations: Generations, spool: Spool, models = new FittedModels(database)) {
    this.#database = database;
    this.#generations = generations;
    this.#spool = spool;
    this.#models = models;
  }

  async table(
    endpoint: Endpoint,
    organizationId: string,
    accepted: Accepted,
    format: Format,
    signal: AbortSignal,
    onQuery: OnQuery = () => {},
  ): Promise<TableFile> {
    const generation = await this.#generations.current(organizationId);
    const use = (work: (session: Session) => Promise<TableFile>): Promise<TableFile> =>
      withEngineErrors(this.#generations, organizationId, () => this.#database.useUntil(signal, work));
    const figures =
      endpoint.shape === "model" &&
      (await withEngineErrors(this.#generations, organizationId, () =>
        this.#models.figures(endpoint, generation, signal, onQuery),
      ));
    return use(async (session) => {
      if (figures) await session.set("figures", figures);
      await session.set("marts", generation.folder);
      await setParameters(session, endpoint.params, accepted);
      const { name, sql, page, rowsLeftOut, head } = await tableOf(session, endpoint, accepted);
      const { made: rows, file } = await this.#spool.file((path) =>
        timed(name, onQuery, () => writeRows(session, sql, format, path, head)),
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
    return accepted.all === "true" ? { name, sql } : { name, sql, page: await rowsPage(session, endpoint, accepted) };
  }
  if (endpoint.shape === "series") return seriesTable(session, endpoint, accepted);
  if (endpoint.shape === "model") return modelTable(endpoint);
  if (endpoint.shape === "document") return documentTable(session, endpoint, accepted);
  throw new Error(`${endpoint.path} has no table`);
}

async function seriesTable(session: Session, endpoint: AnalysisEndpoint, accepted: Accepted): Promise<Table> {
  const { sql: name, leftOut } = endpoint;
  const rows = readSql(name);
  const sql = fieldsSql(rows, shownFields(endpoint, accepted));
  if (endpoint.paged) return pagedTable(session, endpoint, accepted, sql);
  if (!leftOut) return { name, sql };
  const [count = "0"] = await session.texts(`select ${identifier(leftOut.column)} from (${rows}) limit 1`);
  return { name, sql, rowsLeftOut: Number(count) };
}

/** All rows, or those of a page. */
async function pagedTable(
  session: Session,
  endpoint: AnalysisEndpoint,
  accepted: Accepted,
  sql: string,
): Promise<Table> {
  const { sql: name } = endpoint;
  if (accepted.all === "true") {
    const [envelope = "{}"] = await session.texts(envelopeStatement(endpoint).sql);
    return { name, sql, head: headText(endpoint, accepted, envelope) };
  }
  const [isMore] = await session.texts(`select count(*) > ${accepted.limit} from (${sql} ${pageRange(accepted, 1)})`);
  return { name, sql: `${sql} ${pageRange(accepted, 0)}`, page: pageOf(accepted, isMore) };
}

const pageOf = ({ page, limit }: Accepted, isMore: string | undefined): Page => ({
  page: Number(page),
  limit: Number(limit),
  hasNextPage: isMore === "true",
});

/** The rows among the figures, which are the variable `figures`. */
function modelTable({ sql: name, fields, table }: ModelEndpoint): Table {
  const rows = fields[table] ? elementsOf(fields[table]) : {};
  const structure = literal(JSON.stringify([jsonStructure(rows)]));
  const read = `from_json(getvariable('figures')::json -> ${literal(`$.${table}`)}, ${structure})`;
  return { name, sql: fieldsSql(`select unnest(${read}, max_depth := 2)`, rows) };
}

/** The types of the figures of an object, as the engine reads them from JSON. */
const jsonStructure = (fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { unit }]) => [
      name,
      isObject(unit) ? jsonStructure(unit.object) : columnType(unit),
    ]),
  );

const isObject = (unit: Unit): unit is { readonly object: Fields } => typeof unit === "object" && "object" in unit;

async function rowsPage(session: Session, endpoint: Endpoint & { shape: "page" }, accepted: Accepted): Promise<Page> {
  const [isMore] = await session.texts(hasNextPage(endpoint, accepted));
  return pageOf(accepted, isMore);
}

/** The rows of an analysis as its table: typed by their figures, flattened, with a row for each entry of an unnested figure. */
function fieldsSql(sql: string, fields: Fields): string {
  const unnested = unnestedField(fields);
  const entry = unnested?.key === undefined ? ["entry"] : ["entry", "value"];
  const value = ({ path }: Column): string => {
    if (unnested && path[0] === unnested.key) return "entry.key";
    const inside = path[0] === unnested?.name ? [...entry, ...path.slice(1)] : ["answer", ...path];
    return inside.map(identifier).join(".");
  };
  const columns = columnsOf(fields).map((column) => {
    const { unit } = column;
    const text = typeof unit === "object" && "array" in unit ? `to_json(${value(column)})` : value(column);
    return `${text}::${columnType(unit)} as ${identifier(columnName(column))}`;
  });
  return `select ${columns.join(", ")} from ${unnested ? entriesSql(sql, unnested) : `(${sql}) as answer`}`;
}

function entriesSql(sql: string, { name, key }: { readonly name: string; readonly key?: string }): string {
  const figure = `answer.${identifier(name)}`;
  const entries = key === undefined ? figure : `map_entries(${figure})`;
  return `(select answer, unnest(${entries}) as entry from (${sql}) as answer)`;
}

async function documentTable(session: Session, endpoint: DocumentEndpoint, accepted: Accepted): Promise<Table> {
  const { head, parts, table = "", pagination, materialize: once = [] } = endpoint;
  const headSql = head && readSql(head.sql);
  if (headSql && (await session.texts(`select 1 from (${headSql})`)).length === 0) throw new ApiError("notFound");
  const part = parts[table];
  if (!part) {
    const unit = head?.fields[table]?.unit;
    if (!head || typeof unit !== "object" || !("array" in unit)) throw new Error(`${endpoint.path} has no ${table}`);
    return {
      name: head.sql,
      sql: fieldsSql(`select unnest(${identifier(table)}, recursive := true) from (${headSql})`, unit.array),
    };
  }
  for (const macro of once) await materializeMacro(session, macro);
  const left = part.selected ? selectedMetrics(endpoint, accepted).left : [];
  const sql = fieldsSql(readSql(part.sql), without(part.fields, left));
  const paged = pagination && parts[pagination];
  const name = part.sql;
  return paged ? { name, sql, page: await documentPage(session, readSql(paged.sql)) } : { name, sql };
}

async function documentPage(session: Session, sql: string): Promise<Page> {
  const [row] = await session.rows(sql);
  const page = Number(row?.page);
  return { page, limit: Number(row?.pageSize), hasNextPage: page < Number(row?.totalPages) };
}
