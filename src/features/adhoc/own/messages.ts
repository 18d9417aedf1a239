import type { QueryFailure } from "../../../core/contract/error.ts";
import type { StructMember } from "../../../core/engine/database.ts";

/** Start of the process of own queries; its working folder is that of the derived files. */
export interface Start {
  readonly memory: string;
}

/** A query for the process. */
export interface Ask {
  readonly sql: string;
  readonly rows: number;
  readonly bytes: number;
  /** The members of `p`. */
  readonly parameters: readonly StructMember[];
  /** Format of the rows; absent: they are values. */
  readonly form?: Form | undefined;
}

/** A text that a result is written as. */
export type Form = { readonly format: "json" } | { readonly format: "csv"; readonly isBrazilian: boolean };

/** A result as a text of a form, which nobody needs to parse or write again. */
export interface OwnText {
  readonly body: Uint8Array;
  readonly rowCount: number;
  readonly truncated: boolean;
}

export interface OwnResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  /** Whether the query has more rows. */
  readonly truncated: boolean;
}

/** Messages of the process: that it takes queries, and the end of each. */
export type Said =
  | { readonly ready: true }
  | { readonly broken: string }
  | { readonly result: OwnResult | OwnText }
  | { readonly failure: Failure };

export interface Failure {
  readonly kind: QueryFailure;
  readonly message: string;
  /** The engine of the process answers no further query. */
  readonly isBroken?: boolean;
}
