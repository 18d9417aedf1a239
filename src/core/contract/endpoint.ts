import type { EnvelopeField } from "./envelope.ts";
import type { Field, Fields } from "./field.ts";
import type { Format } from "./format.ts";
import type { Compared, Known } from "./generations.ts";
import type { Text } from "./longText.ts";
import type { Accepted, Params, PeriodRule, RangeRule } from "./param.ts";
import type { ServedRecord } from "./record.ts";

/** The part whose members are the answer's own. */
export const ROOT = "";

/** A part of an answer: a member with the rows, or the one row, of a SQL file or of a record. */
export interface AnswerPart {
  /** `one`: an object. `many`: a list of objects, in the order of the SQL file. */
  readonly rows: "one" | "many";
  /** The fields of its rows, in the order of the SQL file's columns. */
  readonly fields: Fields;
  /** Description of its member in the answer. */
  readonly description?: string;
  /** The SQL file. A part without any source is computed by the code that answers the endpoint. */
  readonly sql?: string;
  /** The landed record whose rows it has, as the parameters select and sort them. */
  readonly record?: ServedRecord;
  /** Code that computes it: the integrity queries over the generation, or a model over the rows of the SQL file. */
  readonly from?: "integrity" | "model";
  /** Sent in pages: the answer has `meta`, the position of the page. The SQL file returns all rows, in order. */
  readonly paged?: true;
  /** Without its row, the answer is not found, and its other parts are not computed. */
  readonly required?: true;
  /** The part is left out if this parameter is not sent or `false`. */
  readonly when?: string;
  /** The part is null, and not computed, if this parameter is sent, or if it is not. */
  readonly nullIf?: { readonly parameter: string; readonly isSent: boolean };
  /**
   * Fields that rows carry only if the request has this parameter. `unless`: they do not if another parameter has this value,
   * except where a third, `but`, is sent.
   */
  readonly only?: {
    readonly parameter: string;
    readonly fields: readonly string[];
    readonly unless?: { readonly parameter: string; readonly is: string; readonly but: string };
  };
  /** Only in tabular formats: other members of the JSON have its figures. */
  readonly inTables?: true;
  /** Whether rows carry only the metrics that the request selects. */
  readonly selected?: true;
  /**
   * A column of the SQL file that is not a field of the rows: the number of rows that do not fit into the answer, the same
   * in every row. The answer carries it unless it is 0.
   */
  readonly leftOut?: { readonly column: string; readonly field: Field };
}

/** The tables that kept plans read: rollups by day, sales by product, or amounts of the statement of profit. Those of one kind are used by one request at a time. */
export type KeptTables = "days" | "products" | "profit";

/** An endpoint and its answer: its part of the envelope, accepted parameters, then the parts in their order. */
interface Common {
  /** Below the service's address, with Express's `:name` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly params: Params;
  readonly periods?: readonly PeriodRule[];
  readonly ranges?: readonly RangeRule[];
  /** The treatment of undeclared parameters. */
  readonly unknown: "refused" | "ignored";
  readonly cacheSeconds: number;
  /** The fields of `sql/envelope.sql` that the answer carries. */
  readonly envelope?: readonly EnvelopeField[];
  /** No figure of it is computed from spend: its `coverage` has no ad accounts [D23]. */
  readonly withoutSpend?: true;
  /** With `integrationId`, `asOf` and `coverage` are those of this store; without such a store the answer is not found. */
  readonly ofStore?: true;
  /**
   * It takes the filters `integrationId` and `channel`, and says which were sent [D86]. Without such a store the answer is not found, or
   * it is `empty`.
   */
  readonly filters?: "strict" | "empty";
  /** Parameters whose accepted values the answer includes. */
  readonly echo?: readonly string[];
  /** By the names of their members in the answer. */
  readonly parts: Readonly<Record<string, AnswerPart>>;
  /** The part of many rows, or the list among the fields of the root, that is the answer in tabular formats. */
  readonly table?: string;
  /** The part that is the table instead, if the request has this parameter. */
  readonly tableIf?: { readonly parameter: string; readonly table: string };
  /** The part with `page`, `pageSize` and `totalPages`, if the table is one that the SQL file cuts into pages. */
  readonly pagination?: string;
  /** The metrics that a list parameter selects; the answer names the selected and the available ones. */
  readonly select?: { readonly parameter: string; readonly metrics: readonly string[] };
  /** Table macros of `sql/setup.sql` without arguments that several parts read; computed once per answer, each after those that it reads. */
  readonly materialize?: readonly string[];
  /**
   * The plans of its SQL are kept for organizations that are asked often: its time is mostly planning. `without`: only if
   * none of these parameters is sent.
   */
  readonly keepsPlan?: { readonly over: KeptTables; readonly without?: readonly string[] };
  /**
   * It compares what was known at two instants. `each`: a SQL file whose rows of each state its parts read, as the tables
   * `before_…`, `between_…` and `after_…` with the name of the file.
   */
  readonly compares?: { readonly each?: string };
  /** How the rows of its tables are named, by the paths of the tables in the answer; the first is the main one. */
  readonly tables?: Readonly<Record<string, RowNames>>;
}

/** An endpoint whose parts are SQL files or landed rows. */
export interface SqlEndpoint extends Common {
  readonly by?: undefined;
}

/**
 * An endpoint whose figures, those of its root, code computes from the rows of a SQL file: a model that is fitted to them,
 * once per generation.
 */
export interface ModelEndpoint extends Common {
  readonly by: "model";
  readonly model: "forecast";
}

/** A part that fails independently of the others. Its SQL file's one row also has its state, the reason and its days. */
export interface Block extends AnswerPart {
  readonly sql: string;
  /** One of the endpoint's groups. */
  readonly group: string;
  /** Whether it covers the requested period or days of its own; absent from the root, whose row says that the subject exists. */
  readonly basis?: "requested" | "source_window";
}

/**
 * Blocks in groups that are read concurrently. A block that cannot be read is in `error` and does not affect the others.
 * Each readable block is cached separately; the whole answer is not.
 */
export interface BlocksEndpoint extends Common {
  readonly by: "blocks";
  readonly parts: Readonly<Record<string, Block>> & { readonly [ROOT]: Block };
  /** The table macros of `sql/setup.sql` without arguments that the blocks of each group read; computed once per answer. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly blockSeconds: number;
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
  /** The field with the row's value of an attribute of orders; `parameter`: what says which attribute that is; `unlisted`: attributes whose orders no address lists. */
  readonly of?: { readonly field: string; readonly unlisted?: readonly string[] } & (
    | { readonly attribute: "channel" | "campaign" | "integration" | "produto" }
    | { readonly parameter: string }
  );
}

/** The explanation of any figure of other endpoints. */
export interface ExplainEndpoint extends Common {
  readonly by: "explain";
  readonly of: readonly Exclude<Endpoint, ExplainEndpoint>[];
}

/** The organizations that the credentials may read. It is about no single one, so it has no `organizationId`. */
export interface OrganizationsEndpoint extends Common {
  readonly by: "organizations";
  /** The part that is read of one organization; its entry also has the organization's id, name and state. */
  readonly entry: AnswerPart;
}

/** Runs a query that the client sends over the views of its organization. */
export interface AdHocEndpoint extends Common {
  readonly by: "adhoc";
}

/** Facts about the data of an organization: landed files, rows that do not count, findings. */
export interface QualityEndpoint extends Common {
  readonly by: "quality";
  /** The SQL files of its findings. */
  readonly files: readonly string[];
}

/** The names that what was known has [D83]. */
export interface PinsEndpoint extends Common {
  readonly by: "pins";
}

/** An endpoint about one organization, which the engine answers. */
export type Endpoint = SqlEndpoint | ModelEndpoint | BlocksEndpoint | ExplainEndpoint;

export type AnyEndpoint = Endpoint | OrganizationsEndpoint | AdHocEndpoint | QualityEndpoint | PinsEndpoint;

/** The SQL files that an endpoint runs, the most important first. */
export function filesOf(endpoint: AnyEndpoint): string[] {
  if (endpoint.by === "quality") return [...endpoint.files];
  const { [ROOT]: root, ...named } = endpoint.parts;
  return [...Object.values(named), ...(root ? [root] : [])].flatMap(({ sql }) => sql ?? []);
}

const has = ({ parts }: AnyEndpoint, what: (part: AnswerPart) => unknown): boolean => Object.values(parts).some(what);

/** Whether it compares what was known at two instants. */
export const comparesStates = ({ compares }: AnyEndpoint): boolean => compares !== undefined;

/** Whether its answer is a page of rows, or with `all` all of them in one file. */
export const isPaged = (endpoint: AnyEndpoint): boolean => has(endpoint, ({ paged }) => paged);

/** Whether its rows are those of a landed record, with the vendor's names. */
export const isOfRecord = (endpoint: AnyEndpoint): boolean => has(endpoint, ({ record }) => record);

/** Whether it is an analysis, or an endpoint of products: its answer has figures of its own. */
export const isAnalysis = (endpoint: AnyEndpoint): boolean =>
  !isOfRecord(endpoint) && endpoint.by !== "explain" && !comparesStates(endpoint);

/** Whether it can answer that what a request names does not exist. */
export const mayBeMissing = (endpoint: AnyEndpoint): boolean =>
  endpoint.ofStore === true || endpoint.filters === "strict" || has(endpoint, ({ required }) => required);

/** The SQL file with the row of the store that a request is about. */
export const STORE_FILE = "profit/store";

/** Whether a request is about one store, without which its answer is not found. */
export const isOfStore = ({ ofStore }: AnyEndpoint, { integrationId = null }: Accepted): boolean =>
  ofStore === true && integrationId !== null;

/** Whether a request names a store that must exist. */
export const needsStore = ({ ofStore, filters }: AnyEndpoint, { integrationId = null }: Accepted): boolean =>
  (ofStore === true || filters === "strict") && integrationId !== null;

/** The filters that a request has; undefined without any. */
export function sentFilters(
  { filters }: AnyEndpoint,
  { integrationId = null, channel = null }: Accepted,
): { readonly integrationId: Accepted[string]; readonly channel: Accepted[string] } | undefined {
  return filters !== undefined && (integrationId !== null || channel !== null) ? { integrationId, channel } : undefined;
}

/** Whether `all` gives all rows in one file: of an answer that is cut into pages, or that leaves rows out. */
export const hasWhole = (endpoint: AnyEndpoint): boolean =>
  has(endpoint, ({ paged, leftOut }) => paged || leftOut) || endpoint.pagination !== undefined;

/** The name of the table that the answer to a request is. */
export const tableOf = ({ table = "", tableIf }: AnyEndpoint, accepted: Accepted): string =>
  tableIf && (accepted[tableIf.parameter] ?? null) !== null ? tableIf.table : table;

/** Whether its answer is a table, available in every format; other answers are JSON only. */
export const isTabular = ({ table }: AnyEndpoint): boolean => table !== undefined;

/** Receives each SQL file that ran for an answer, and its milliseconds, also if it was stopped. */
export type OnQuery = (sql: string, milliseconds: number) => void;

/** The state of an organization's data and settings. */
export interface DataState {
  /** Names the state: an answer is valid while this is unchanged. */
  readonly version: string;
  /** The records of which landed files are lost, such as `storea/orders`: answers lack the rows of these files. */
  readonly incomplete?: readonly string[];
}

/** A request on its way to the engine: made once, and passed on as one argument. */
export interface RequestContext {
  readonly endpoint: Endpoint;
  readonly organizationId: string;
  readonly accepted: Accepted;
  readonly format: Format;
  /** What was known, if the request has `knownAt`; otherwise the newest data answer. */
  readonly known?: Known | undefined;
  /** What it is compared with, if the endpoint compares states: `known` is the earlier one. */
  readonly compared?: Compared | undefined;
  /** Aborts at the deadline, or when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly onQuery: OnQuery;
}

/** The port through which the service gets answers, so that it can be tested without an engine. */
export interface Answers {
  /** Undefined without files to answer from. */
  dataState(organizationId: string): Promise<DataState | undefined>;
  /** Waits for what the answer takes from computations with a queue of their own. Fails like `answer`. */
  prepare(context: RequestContext): Promise<void>;
  /** The answer as JSON text. Stops, and fails with an `ApiError`, when the signal aborts. */
  answer(context: RequestContext): Promise<Text>;
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
  table(context: RequestContext): Promise<TableFile>;
}
