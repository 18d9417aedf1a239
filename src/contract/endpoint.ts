import type { Figures } from "./figure.ts";
import type { Accepted, Params, PeriodRule } from "./param.ts";
import type { ServedRecord } from "./record.ts";

interface Common {
  /** Below the service's address, with Express's `:name` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly params: Params;
  readonly periods?: readonly PeriodRule[];
  /** What a parameter that is not declared does. */
  readonly unknown: "refused" | "ignored";
  readonly cacheSeconds: number;
}

/** A page of a record's rows. */
export interface RowsEndpoint extends Common {
  readonly shape: "page";
  readonly record: ServedRecord;
}

export type EnvelopeField =
  | "period"
  | "previousPeriod"
  | "asOf"
  | "marginPercent"
  | "marginConfigured"
  | "marginCompleteness"
  | "marginItemStatus"
  | "granularity";

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

export type Endpoint = RowsEndpoint | AnalysisEndpoint;

/** What the service asks of the analyses: given in by whoever starts it, so that it can be tested without an engine. */
export interface Answers {
  /** Names the state of the organization's data and settings: an answer is good for as long as this stays. */
  version(organizationId: string): Promise<string>;
  /** The answer as JSON text. Stops, and fails with an `ApiError`, when the signal aborts. */
  answer(endpoint: Endpoint, organizationId: string, accepted: Accepted, signal: AbortSignal): Promise<string>;
}
