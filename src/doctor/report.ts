import type { Connector } from "../contract/record.ts";
import type { Row } from "../engine/database.ts";
import type { LastResult } from "../status.ts";

/** `wrong`: answers are missing something or false until it is mended. `notice`: an operator should know. */
export type Level = "wrong" | "notice";

export interface Finding {
  readonly kind: string;
  readonly level: Level;
  /** What it is, in words. */
  readonly title: string;
  /** How many rows there are in all; `rows` are the first of them. */
  readonly count: number;
  /** Sums over all of them. */
  readonly total: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
  /** The SQL file that gives all of them. */
  readonly sql?: string;
}

/** How one record of an integration stands. */
export interface RecordState {
  readonly record: string;
  readonly lastLandedAt: string | null;
  /** Days (UTC) and instants are told with how many whole days ago they are, by the service's clock. */
  readonly newestDay: string | null;
  readonly daysSinceNewest: number | null;
  /** Export files that have landed. */
  readonly files: number;
  /** Rows in force; null while nothing is derived. */
  readonly rows: number | null;
  /** Rows in the rejects folder. */
  readonly rejected: number;
  /** Export files that have not landed. */
  readonly waiting: readonly string[];
}

export interface IntegrationState {
  readonly integrationId: string;
  readonly name: string;
  readonly connector: Connector;
  readonly schedule: string | null;
  readonly lastLandedAt: string | null;
  readonly daysSinceLanded: number | null;
  /** What came of its last sync; null where it never had one. */
  readonly lastResult: Pick<LastResult, "ended" | "outcome" | "reason"> | null;
  readonly records: readonly RecordState[];
}

/** How many files were read to their end (`--verify`). */
export interface FilesRead {
  readonly files: number;
  readonly bytes: number;
  /** Other bytes than were written, or not there. */
  readonly damaged: number;
  /** Written before checksums were kept: nobody can tell. */
  readonly unknown: number;
}

export interface OrganizationReport {
  readonly organizationId: string;
  readonly name: string;
  /** Told where it was asked for. */
  readonly files?: { readonly landed: FilesRead; readonly derived: FilesRead };
  /** Null while nothing is derived. */
  readonly overview: Row | null;
  readonly integrations: readonly IntegrationState[];
  readonly findings: readonly Finding[];
}

/** What `lucra doctor --json` prints: `docs/doctor.md` describes it. */
export interface Report {
  readonly now: string;
  readonly wrong: number;
  readonly notices: number;
  /** What belongs to no organization with settings in force. */
  readonly findings: readonly Finding[];
  readonly organizations: readonly OrganizationReport[];
}

/** A finding of rows that are all there. */
export function finding(kind: string, level: Level, title: string, rows: readonly Row[] = []): Finding {
  return { kind, level, title, count: rows.length, total: {}, rows: rows.map(withoutEmails) };
}

/** Vendor's text may hold an e-mail anywhere; what is left of it names nobody. */
export function withoutEmails(row: Row): Row {
  const shown = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "string" ? value.replaceAll(/[^\s@*]+@[^\s@*]+/g, "…@…") : value,
  ]);
  return Object.fromEntries(shown);
}
