import type { Measured } from "./parts/analyses.ts";
import type { Cached } from "./parts/cached.ts";
import type { Landing } from "./parts/landing.ts";
import type { Load } from "./parts/load.ts";
import type { Own } from "./parts/own.ts";
import type { Rows } from "./parts/rows.ts";
import type { Small } from "./parts/small.ts";
import type { Tenants } from "./parts/tenants.ts";
import type { Tiny } from "./parts/tiny.ts";

/** The measurements of a shop of one size. */
export interface SizeResults {
  readonly orders: number;
  readonly landing: Landing;
  readonly analyses: readonly Measured[];
  readonly own: readonly Own[];
  readonly rows: Rows;
  readonly load: Load;
  /** The peak memory of the servers, in MiB. */
  readonly peaks: { readonly cold: number; readonly hot: number };
  /** The other engines, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/** All questions at once with little memory: the number of answers with each status, and the peak memory of the server. */
export interface Tight {
  readonly orders: number;
  readonly limit: string;
  readonly peak: number;
  readonly answers: Readonly<Record<string, number>>;
}

export interface Results {
  readonly sizes: readonly SizeResults[];
  readonly cached: readonly Cached[];
  readonly tiny?: Tiny;
  readonly small?: Small;
  readonly tenants?: Tenants;
  readonly tight?: Tight;
  /** How long everything took. */
  readonly minutes: number;
}
