import type { EnvelopeField } from "./envelope.ts";
import type { Figures } from "./figure.ts";
import type { Format } from "./format.ts";
import type { Accepted, Params, PeriodRule, RangeRule } from "./param.ts";
import type { ServedRecord } from "./record.ts";

interface Common {
  /** Below the service's address, with Express's `:name` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly params: Params;
  readonly periods?: readonly PeriodRule[];
  readonly ranges?: readonly RangeRule[];
  /** What a parameter that is not declared does. */
  readonly unknown: "refused" | "ignored";
  readonly cacheSeconds: number;
}

/** A page of a record's rows. */
export interface RowsEndpoint extends Common {
  readonly shape: "page";
  readonly record: ServedRecord;
}

/**
 * An analysis: one SQL file. `object`: its one row is the answer; `series`: its rows stand under `data`. Either way
 * beside its share of the envelope.
 */
export interface AnalysisEndpoint extends Common {
  readonly shape: "object" | "series";
  readonly sql: string;
  /** The answer, or with `series` one of its points, in order. */
  readonly figures: Figures;
  /** What of `sql/envelope.sql` the answer carries beside them. */
  readonly envelope: readonly EnvelopeField[];
  /** Parameters whose accepted values the answer repeats. */
  readonly echo?: readonly string[];
  /** Figures that only answers to requests with this parameter carry. */
  readonly only?: { readonly parameter: string; readonly figures: readonly string[] };
}

/** What a key of a document holds: the rows of one SQL file, or its one row. */
export interface Part {
  readonly sql: string;
  readonly rows: "one" | "many";
  readonly figures: Figures;
  /** Whether its rows carry the metrics that the request selects, or all their figures. */
  readonly selected?: boolean;
  /** A parameter without which, or with `false` for which, the key is left out. */
  readonly when?: string;
}

/** Parts side by side, after the one row of a file of its own. Nothing is found where that file gives no row. */
export interface DocumentEndpoint extends Common {
  readonly shape: "document";
  readonly head?: { readonly sql: string; readonly figures: Figures };
  readonly parts: Readonly<Record<string, Part>>;
  /** Table macros of `sql/setup.sql`, without arguments, that several parts read: computed once for an answer. */
  readonly once?: readonly string[];
  /** The part of many rows, or the array among the head's figures, that is the answer in formats that hold a table. */
  readonly table?: string;
  /** The part with `page`, `pageSize` and `totalPages`, where that table is paged. */
  readonly pagination?: string;
  /** The metrics that a list parameter selects; the answer names them, and those there are. */
  readonly select?: { readonly parameter: string; readonly metrics: readonly string[] };
}

/** A part of an answer that stands or fails by itself: one SQL file, whose one row says its state too. */
export interface Block {
  readonly sql: string;
  /** Its figures beside those that every block has. */
  readonly figures: Figures;
  /** Whether it looks at the period asked for or at days of its own. */
  readonly basis: "requested" | "source_window";
  /** Why it may have nothing to stand on. */
  readonly withoutBase: readonly string[];
}

/**
 * Blocks that are read side by side. One that cannot be read is in `error` and leaves the others as they are; those
 * that can are kept, each by itself, and the whole answer is not.
 */
export interface BlocksEndpoint extends Common {
  readonly shape: "blocks";
  readonly blocks: Readonly<Record<string, Block>>;
  readonly blockSeconds: number;
  /** The SQL file that gives a row when what is asked for is there. Where it cannot be read, the blocks are. */
  readonly found: string;
  /** Parameters whose accepted values the answer repeats. */
  readonly echo: readonly string[];
  /** The parameters that bound the period asked for. */
  readonly period: { readonly from: string; readonly to: string };
}

export type Endpoint = RowsEndpoint | AnalysisEndpoint | DocumentEndpoint | BlocksEndpoint;

/** The SQL files of the analyses that an endpoint runs, the most telling first. */
export function filesOf(endpoint: Endpoint): string[] {
  switch (endpoint.shape) {
    case "page":
      return [];
    case "document":
      return [...Object.values(endpoint.parts).map(({ sql }) => sql), ...(endpoint.head ? [endpoint.head.sql] : [])];
    case "blocks":
      return [...Object.values(endpoint.blocks).map(({ sql }) => sql), endpoint.found];
    default:
      return [endpoint.sql];
  }
}

/** Told of each SQL file that ran for an answer, and for how many milliseconds, to its end or not. */
export type OnQuery = (sql: string, milliseconds: number) => void;
/** Whether its answer is a table, in any of the formats; the others are JSON alone. */
export const isTabular = (endpoint: Endpoint): boolean =>
  endpoint.shape === "page" ||
  endpoint.shape === "series" ||
  (endpoint.shape === "document" && endpoint.table !== undefined);

/** What the service asks of the analyses: given in by whoever starts it, so that it can be tested without an engine. */
export interface Answers {
  /** Names the state of the organization's data and settings: an answer is good for as long as this stays. */
  version(organizationId: string): Promise<string | undefined>;
  /** The answer as JSON text. Stops, and fails with an `ApiError`, when the signal aborts. */
  answer(
    endpoint: Endpoint,
    organizationId: string,
    accepted: Accepted,
    signal: AbortSignal,
    onQuery?: OnQuery,
  ): Promise<string>;
}

/** Where a page stands among the others. */
export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly hasNextPage: boolean;
}

/** A whole table as the bytes of one of the formats, finished before the first is read. Whoever asked for it closes it. */
export interface TableFile {
  readonly rows: number;
  readonly bytes: number;
  readonly page?: Page;
  readonly content: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** What the service asks for answers in formats that hold a table, and for whole selections of rows in any format. */
export interface Tables {
  /** Of row endpoints all rows of the selection with `all`, in one state of the data; else the page's. */
  table(
    endpoint: Endpoint,
    organizationId: string,
    accepted: Accepted,
    format: Format,
    signal: AbortSignal,
    onQuery?: OnQuery,
  ): Promise<TableFile>;
}
