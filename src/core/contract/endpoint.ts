import type { EnvelopeField } from "./envelope.ts";
import type { Field, Fields } from "./field.ts";
import type { Format } from "./format.ts";
import type { Text } from "./longText.ts";
import type { Accepted, Params, PeriodRule, RangeRule } from "./param.ts";
import type { ServedRecord } from "./record.ts";

interface Common {
  /** Below the service's address, with Express's `:name` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly params: Params;
  readonly periods?: readonly PeriodRule[];
  readonly ranges?: readonly RangeRule[];
  /** What happens to an undeclared parameter. */
  readonly unknown: "refused" | "ignored";
  readonly cacheSeconds: number;
  /**
   * Whether the plans of its SQL are kept for organizations that are asked often: its time is mostly planning.
   * `without`: only if this parameter is not sent.
   */
  readonly keepsPlan?: boolean | { readonly without: string };
  /** How the rows of its tables are named, by the paths of the tables in the answer; the first is the main one. */
  readonly tables?: Readonly<Record<string, RowNames>>;
}

/** A page of a record's rows. */
export interface RowsEndpoint extends Common {
  readonly shape: "page";
  readonly record: ServedRecord;
}

/** A further member of an analysis's answer: the rows of a SQL file of its own, or its one row. */
export interface Member {
  readonly sql: string;
  readonly rows: "one" | "many";
  readonly fields: Fields;
  readonly description: string;
  /** It is null, and not computed, if this parameter is sent, or if it is not. */
  readonly nullIf?: { readonly parameter: string; readonly isSent: boolean };
}

/**
 * An analysis: one SQL file. `object`: its one row is the answer; `series`: its rows are under `data`. Both also carry
 * their part of the envelope.
 */
export interface AnalysisEndpoint extends Common {
  readonly shape: "object" | "series";
  /** A series that is sent in pages, like a record's rows: the SQL file returns all rows, in order. */
  readonly paged?: true;
  readonly sql: string;
  /** The answer, or with `series` one of its points, in order. */
  readonly fields: Fields;
  /** The fields of `sql/envelope.sql` that the answer also carries. */
  readonly envelope: readonly EnvelopeField[];
  /** No figure of it is computed from spend: its `coverage` has no ad accounts [D23]. */
  readonly withoutSpend?: true;
  /** Parameters whose accepted values the answer includes. */
  readonly echoParams?: readonly string[];
  /** Further members, by name. Tables do not have them. */
  readonly members?: Readonly<Record<string, Member>>;
  /** Table macros of `sql/setup.sql` without arguments that the rows and members read; computed once per answer. */
  readonly materialize?: readonly string[];
  /** Fields that an answer carries only if the request has this parameter. */
  readonly only?: { readonly parameter: string; readonly fields: readonly string[] };
  /**
   * A column of the SQL that is not a field of the rows: the number of rows that do not fit into the answer, the same in
   * every row. The answer carries it unless it is 0.
   */
  readonly leftOut?: { readonly column: string; readonly field: Field };
  /** The answer's field `checks`: what the integrity queries found in the generation. No SQL file of the endpoint computes it. */
  readonly checks?: Field;
}

/**
 * An analysis whose figures code computes from the rows of a SQL file: a model that is fitted to them, once per generation.
 * The answer carries its part of the envelope, too.
 */
export interface ModelEndpoint extends Common {
  readonly shape: "model";
  readonly sql: string;
  readonly model: "forecast";
  readonly fields: Fields;
  readonly envelope: readonly EnvelopeField[];
  readonly withoutSpend?: true;
  /** The array among its figures that is the answer in tabular formats. */
  readonly table: string;
}

/** The content of a document's key: the rows of one SQL file, or its one row. */
export interface Part {
  readonly sql: string;
  readonly rows: "one" | "many";
  readonly fields: Fields;
  /** Whether its rows carry only the metrics that the request selects. */
  readonly selected?: boolean;
  /** The key is left out if this parameter is not sent or `false`. */
  readonly when?: string;
}

/** Several parts, after the one row of the head's SQL file. If that file returns no row, the answer is not found. */
export interface DocumentEndpoint extends Common {
  readonly shape: "document";
  readonly head?: { readonly sql: string; readonly fields: Fields };
  readonly parts: Readonly<Record<string, Part>>;
  /** Table macros of `sql/setup.sql` without arguments that several parts read; computed once per answer. */
  readonly materialize?: readonly string[];
  /** The part of many rows, or the array among the head's figures, that is the answer in tabular formats. */
  readonly table?: string;
  /** The part with `page`, `pageSize` and `totalPages`, if that table is paged. */
  readonly pagination?: string;
  /** The metrics that a list parameter selects; the answer names the selected and the available ones. */
  readonly select?: { readonly parameter: string; readonly metrics: readonly string[] };
}

/** A part of an answer that fails independently of the others: one SQL file, whose one row also has its state, the reason and its days. */
export interface Block {
  readonly sql: string;
  /** One of the endpoint's groups. */
  readonly group: string;
  /** Its figures in addition to those of every block. */
  readonly fields: Fields;
  /** Whether it covers the requested period or days of its own. */
  readonly basis: "requested" | "source_window";
}

/**
 * Blocks in groups that are read concurrently. A block that cannot be read is in `error` and does not affect the others.
 * Each readable block is cached separately; the whole answer is not.
 */
export interface BlocksEndpoint extends Common {
  readonly shape: "blocks";
  readonly blocks: Readonly<Record<string, Block>>;
  /** The table macros of `sql/setup.sql` without arguments that the blocks of each group read; computed once per answer. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly blockSeconds: number;
  /** The SQL file that returns a row if the subject exists. If it cannot be read, the blocks are read all the same. */
  readonly found: { readonly sql: string; readonly group: string };
  /** Parameters whose accepted values the answer includes. */
  readonly echo: readonly string[];
  /** The parameters that bound the requested period. */
  readonly period: { readonly from: string; readonly to: string };
}

/** How an explanation names a row of a table of the answer. */
export interface RowNames {
  /** The fields whose values, joined by colons, name a row. Null is the empty text; `a|b`: b where a is null. */
  readonly key: readonly string[];
  /** The field that is appended where several rows have the same key. */
  readonly apart?: string;
  /** The same, if the answer does not have it: a SQL file with one column, and a row for each of the answer's. */
  readonly apartSql?: string;
  /** The length of a row's days, from the day of its first key on; `by`: what the parameter, or the answer, says. */
  readonly days?: "day" | "month" | { readonly by: string };
  /** The field with the row's value of an attribute of orders; `parameter`: what says which attribute that is. */
  readonly of?: { readonly field: string } & (
    | { readonly attribute: "channel" | "campaign" | "integration" | "produto" }
    | { readonly parameter: string }
  );
}

/** The explanation of any figure of other endpoints. */
export interface ExplainEndpoint extends Common {
  readonly shape: "explain";
  readonly fields: Fields;
  readonly of: readonly Exclude<Endpoint, ExplainEndpoint | RowsEndpoint>[];
}

/** The organizations that the credentials may read. It is about no single one, so it has no `organizationId`. */
export interface OrganizationsEndpoint extends Common {
  readonly shape: "organizations";
  /** Returns one row about an organization. */
  readonly sql: string;
  /** Its columns. The answer also has the organization's id, name and state. */
  readonly fields: Fields;
}

/** Runs a query that the client sends over the views of its organization. */
export interface SqlEndpoint extends Common {
  readonly shape: "sql";
  readonly fields: Fields;
}

/** What is known about the data of an organization: what has landed, what does not count, and what is wrong. */
export interface QualityEndpoint extends Common {
  readonly shape: "quality";
  /** The SQL files of its findings. */
  readonly sql: readonly string[];
  readonly fields: Fields;
}

/** An endpoint whose answer is computed from the derived files of one organization by declared SQL. */
export type Endpoint =
  | RowsEndpoint
  | AnalysisEndpoint
  | ModelEndpoint
  | DocumentEndpoint
  | BlocksEndpoint
  | ExplainEndpoint;

export type AnyEndpoint = Endpoint | OrganizationsEndpoint | SqlEndpoint | QualityEndpoint;

/** The SQL files of the analyses that an endpoint runs, the most important first. */
export function filesOf(endpoint: AnyEndpoint): string[] {
  switch (endpoint.shape) {
    case "page":
    case "explain":
    case "sql":
      return [];
    case "quality":
      return [...endpoint.sql];
    case "document":
      return [...Object.values(endpoint.parts).map(({ sql }) => sql), ...(endpoint.head ? [endpoint.head.sql] : [])];
    case "blocks":
      return [...Object.values(endpoint.blocks).map(({ sql }) => sql), endpoint.found.sql];
    case "model":
    case "organizations":
      return [endpoint.sql];
    default:
      return [endpoint.sql, ...Object.values(endpoint.members ?? {}).map(({ sql }) => sql)];
  }
}

/** Whether its answer is a page of rows, or with `all` all of them in one file. */
export const isPaged = (endpoint: AnyEndpoint): boolean =>
  endpoint.shape === "page" || (endpoint.shape === "series" && endpoint.paged === true);

/** Whether `all` gives all rows in one file: of an answer that is cut into pages, or that leaves rows out. */
export const hasWhole = (endpoint: AnyEndpoint): boolean =>
  isPaged(endpoint) ||
  (endpoint.shape === "series" && endpoint.leftOut !== undefined) ||
  (endpoint.shape === "document" && endpoint.pagination !== undefined);

/** Receives each SQL file that ran for an answer, and its milliseconds, also if it was stopped. */
export type OnQuery = (sql: string, milliseconds: number) => void;

/** Whether its answer is a table, available in every format; other answers are JSON only. */
export const isTabular = (endpoint: AnyEndpoint): boolean =>
  endpoint.shape === "page" ||
  endpoint.shape === "series" ||
  endpoint.shape === "model" ||
  (endpoint.shape === "document" && endpoint.table !== undefined);

/** The state of an organization's data and settings. */
export interface DataState {
  /** Names the state: an answer is valid while this is unchanged. */
  readonly version: string;
  /** The records of which landed files are lost, such as `storea/orders`: answers lack the rows of these files. */
  readonly incomplete?: readonly string[];
}

/** The port through which the service gets answers, so that it can be tested without an engine. */
export interface Answers {
  /** Undefined without files to answer from. */
  dataState(organizationId: string): Promise<DataState | undefined>;
  /** Waits for what the answer takes from computations with a queue of their own. Fails like `answer`. */
  prepare(endpoint: Endpoint, organizationId: string, signal: AbortSignal, onQuery?: OnQuery): Promise<void>;
  /** The answer as JSON text. Stops, and fails with an `ApiError`, when the signal aborts. */
  answer(
    endpoint: Endpoint,
    organizationId: string,
    accepted: Accepted,
    signal: AbortSignal,
    onQuery?: OnQuery,
  ): Promise<Text>;
}

/** The position of a page. */
export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly hasNextPage: boolean;
}

/** A whole table in one of the formats, complete before its first byte is read. The caller closes it. */
export interface TableFile {
  readonly rows: number;
  readonly bytes: number;
  readonly page?: Page;
  /** Rows that do not fit into the answer. */
  readonly rowsLeftOut?: number;
  readonly content: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The port for answers in tabular formats, and for whole selections of rows in any format. */
export interface Tables {
  /** With `all` it has all rows of the selection, from one state of the data. */
  table(asked: TableQuestion, signal: AbortSignal, onQuery?: OnQuery): Promise<TableFile>;
}

/** The table of an endpoint for an organization, in a format. */
export interface TableQuestion {
  readonly endpoint: Endpoint;
  readonly organizationId: string;
  readonly accepted: Accepted;
  readonly format: Format;
}
