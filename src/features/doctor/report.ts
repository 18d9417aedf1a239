import type { FindingKind } from "../../core/contract/quality.ts";
import type { Connector } from "../../core/contract/record.ts";
import { brief } from "../../core/contract/text.ts";
import type { Row } from "../../core/engine/database.ts";
import type { LastResult } from "../../core/sync/status.ts";

/** `wrong`: answers are incomplete or false until it is repaired. `notice`: an operator should know. */
export type Level = "wrong" | "notice";

export interface Finding {
  readonly kind: FindingKind;
  readonly level: Level;
  readonly title: string;
  /** The number of all rows; `rows` are the first of them. */
  readonly count: number;
  /** Sums over all rows. */
  readonly total: Readonly<Record<string, number>>;
  /** The revenue of all rows in each currency, if there may be several. */
  readonly amounts?: readonly Row[];
  readonly rows: readonly Row[];
  /** The SQL file that returns all rows. */
  readonly sql?: string;
}

/** The state of one record of an integration. */
export interface RecordState {
  readonly record: string;
  readonly lastLandedAt: string | null;
  /** A day in UTC; `daysSinceNewest` is its age in whole days by the service's clock. */
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
  /** The result of its last sync; null before the first one. */
  readonly lastResult: Pick<LastResult, "ended" | "outcome" | "reason"> | null;
  readonly records: readonly RecordState[];
}

/** How many files were read to their end (`--verify`). */
export interface FilesRead {
  readonly files: number;
  readonly bytes: number;
  /** Missing, or other bytes than were written. */
  readonly damaged: number;
}

export interface OrganizationReport {
  readonly organizationId: string;
  readonly name: string;
  /** Only with `--verify`. */
  readonly files?: { readonly landed: FilesRead; readonly derived: FilesRead };
  /** Null while nothing is derived. */
  readonly overview: Row | null;
  readonly integrations: readonly IntegrationState[];
  readonly findings: readonly Finding[];
}

/** The output of `lucra doctor --json`, as in `docs/doctor.md`. */
export interface Report {
  readonly now: string;
  readonly wrong: number;
  readonly notices: number;
  /** Findings outside the organizations with settings in force. */
  readonly findings: readonly Finding[];
  readonly organizations: readonly OrganizationReport[];
}

/** A finding with all of its rows. */
export function finding(kind: FindingKind, level: Level, title: string, rows: readonly Row[] = []): Finding {
  return { kind, level, title, count: rows.length, total: {}, rows: rows.map(withoutEmails) };
}

/** The most characters of a text in a finding: a vendor's name may have any number. */
const MOST_CHARACTERS = 1_000;

/** Cuts long texts, and masks e-mails, which may be anywhere in a vendor's text. */
export function withoutEmails(row: Row): Row {
  const shown = Object.entries(row).map(([name, value]) => [
    name,
    // An e-mail begins where nothing of it is before: without this, each place of a long word would be tried.
    typeof value === "string"
      ? brief(value, MOST_CHARACTERS).replaceAll(/(?<![^\s@*])[^\s@*]+@[^\s@*]+/g, "…@…")
      : value,
  ]);
  return Object.fromEntries(shown);
}
