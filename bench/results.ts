import type { Measured } from "./parts/analyses.ts";
import type { Cached } from "./parts/cached.ts";
import type { Landing } from "./parts/landing.ts";
import type { Load } from "./parts/load.ts";
import type { Rows } from "./parts/rows.ts";
import type { Tenants } from "./parts/tenants.ts";

/** What was measured over a shop of one size. */
export interface SizeResults {
  readonly orders: number;
  readonly landing: Landing;
  readonly analyses: readonly Measured[];
  readonly rows: Rows;
  readonly load: Load;
  /** The most memory the server held, in MiB. */
  readonly peak: number;
  /** Of the engines beside it, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

export interface Results {
  readonly sizes: readonly SizeResults[];
  readonly cached: readonly Cached[];
  readonly tenants: readonly Tenants[];
  /** All questions at once with little memory: how they were answered, by status, and the most the server held. */
  readonly tight?: {
    readonly orders: number;
    readonly limit: string;
    readonly peak: number;
    readonly answers: Readonly<Record<string, number>>;
  };
}
