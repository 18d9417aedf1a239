import type { Connector } from "../../core/contract/record.ts";
import type { Integration } from "../../core/contract/settings.ts";

const MB = 1_000_000;

/** What is taken of an organization [D93]. */
export const LIMITS = {
  /** The bytes of a file, and of one of its pieces. */
  bytes: 200 * MB,
  piece: MB,
  /** Files that wait, and their bytes. */
  files: 20,
  waiting: 2_000 * MB,
  /** What has not landed after this time is removed. */
  keptMs: 24 * 3_600_000,
} as const;

/**
 * `recognized`: it was looked at; `landing`: that goes on whatever ends the service; `failed`: nothing of it landed, and it still
 * waits; `undone`: its landing was revoked.
 */
export type UploadState = "receiving" | "received" | "recognized" | "landing" | "landed" | "failed" | "undone";

/** What a person says about a file, where it is not recognized or not read as it is meant. */
export interface Wish {
  /** The integration that it is for. */
  readonly integration?: string;
  /** Instead: a new one of this connector, with its name and the time zone of its orders. */
  readonly connector?: Connector;
  readonly name?: string;
  readonly timezone?: string;
  readonly record?: string;
  /** Headings by the column of the record that they mean. */
  readonly columns?: Readonly<Record<string, string>>;
  /** What words of a table of expenses are for. */
  readonly items?: NonNullable<Integration["items"]>;
  /** Whether its expenses of one day are of this day or of the month. */
  readonly oneDayExpenses?: NonNullable<Integration["oneDayExpenses"]>;
  readonly numbers?: NonNullable<Integration["numbers"]>;
  readonly campaignsByName?: boolean;
  readonly allOrdersPaid?: boolean;
}

/**
 * What a look at a file found. `ready`: it can land; `again`: the same content landed, and rows of it were replaced since: it can
 * land again; `known`: all its rows count already; `map`: columns are missing; `choose`: the record or the integration is to be
 * chosen; `unknown`: no record is recognized; `refused`: no row of it would land.
 */
export type Outcome = "ready" | "again" | "known" | "map" | "choose" | "unknown" | "refused";

/** Where a file lands, and what the settings learn for it. */
export interface Target {
  readonly integration: string;
  /** Of an integration that the settings do not have yet. */
  readonly added?: Pick<Integration, "connector" | "name" | "timezone">;
  /** Whether it is added because its connector has none. */
  readonly isOnly?: boolean;
  readonly record: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly items: NonNullable<Integration["items"]>;
  readonly oneDayExpenses?: NonNullable<Integration["oneDayExpenses"]>;
  readonly reading: Pick<Integration, "numbers" | "campaignsByName" | "allOrdersPaid">;
  /** The export's name within the record's folder. */
  readonly file: string;
}

/** An export that has landed. */
export interface LandedExport {
  readonly integration: string;
  readonly record: string;
  readonly file: string;
  readonly landing: number;
}

/** What an upload has landed as: an archive is one export for each file in it. */
export interface Landed {
  readonly integration: string;
  readonly record: string;
  readonly exports: readonly Pick<LandedExport, "file" | "landing">[];
  readonly landedAt: string;
  readonly rows: number;
  readonly rejected: number;
}

/** A file that was dropped on the page. */
export interface Upload {
  readonly id: string;
  readonly organization: string;
  /** Its own name, as far as it can be shown: a label, never a path. */
  readonly name: string;
  readonly bytes: number;
  /** Of the content, if the page says it: another content is refused. */
  readonly sha256?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly state: UploadState;
  /** The last look at it, and what was said about it. */
  readonly look?: {
    readonly id: string;
    readonly outcome: Outcome;
    readonly wish: Wish;
    readonly target?: Target;
  };
  /** What lands. */
  readonly target?: Target;
  /** Instead of bytes that were sent: an export that landed before and lands again. */
  readonly from?: LandedExport;
  /** Who let it land. */
  readonly landedBy?: string;
  /** How often its landing was begun. */
  readonly attempts?: number;
  readonly landed?: Landed;
  /** Why nothing of it landed. */
  readonly reason?: string;
}

/** Whether its bytes are kept. */
export const isWaiting = ({ state, from }: Pick<Upload, "state" | "from">): boolean =>
  from === undefined && state !== "landed" && state !== "undone";
