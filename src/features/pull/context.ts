import type { Config } from "../../core/config.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import type { RecordReport } from "../../core/sync/pulled.ts";
import type { PulledIntegration } from "./accounts.ts";
import type { Counts, Limits } from "./client.ts";

export interface PullRequest {
  /** Only these records. */
  readonly records?: readonly string[] | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly signal: AbortSignal;
  readonly limits?: Limits;
  readonly progress?: (progress: PullProgress) => void;
  /** Called when a record has ended. */
  readonly onRecord?: (report: RecordReport) => void;
}

/** How far a record has come. */
export interface PullProgress {
  readonly organization: string;
  readonly integration: string;
  readonly record: string;
  /** The window that is asked for. */
  readonly from: string;
  readonly to: string;
  /** The share of the span's windows that are done. */
  readonly share: number;
  readonly requests: number;
  readonly waitedMs: number;
  readonly objects: number;
}

/** A pull of one integration. */
export interface Context {
  readonly folders: OrganizationFolders;
  readonly now: Config["now"];
  readonly integration: PulledIntegration;
  readonly request: PullRequest;
}

const NOTHING = { requests: 0, waited: 0, objects: 0, bytes: 0, from: null, to: null, complete: false, message: null };

export const reportOf = (
  { folders, integration }: Context,
  record: string,
  more: Partial<RecordReport>,
): RecordReport => ({
  organization: folders.organization,
  integration: integration.id,
  connector: integration.connector,
  record,
  ...NOTHING,
  ...more,
});

export const costOf = (counts: Counts): Pick<RecordReport, "requests" | "waited" | "bytes"> => ({
  requests: counts.requests,
  waited: Math.round(counts.waitedMs) / 1000,
  bytes: counts.bytes,
});
