import { shortened } from "../contract/text.ts";
import { countText } from "./bytes/limits.ts";
import type { Place, Read } from "./lake/built.ts";
import type { LandingFailure } from "./lake/repair.ts";

/** The result of landing one record of one integration. */
export interface Outcome {
  readonly organization: string;
  readonly integration: string;
  readonly connector: string;
  readonly record: string;
  /** Files in the folder, including those that landed before. */
  seen: number;
  /** Files landed now. */
  files: number;
  landed: number;
  /** Landed rows that replaced an earlier version. */
  replaced: number;
  rejected: number;
  seconds: number;
  /** The first files that could not be read: no row of them landed. */
  readonly refused: { readonly file: string; readonly reason: string }[];
  /** How many more files could not be read. */
  refusedMore: number;
  /** Notes about the first files that landed: columns that did not land, and data that the file cannot give. */
  readonly notes: { readonly file: string; readonly note: string }[];
  /** Files that the next sync reads, because the time of this sync was over. */
  postponed: number;
  /** The first files that landed, were revoked and have not been written again since: they do not land by themselves. */
  readonly revoked: { readonly file: string; readonly landing: number }[];
  /** How many more such files there are. */
  revokedMore: number;
  /** Warnings about rows that have landed. */
  warnings?: readonly string[];
}

/** How many files could not be read. */
export const refusedFiles = ({ refused, refusedMore }: Outcome): number => refused.length + refusedMore;

/** How many files a record's report lists: refused ones, and those that failed. */
const MOST_LISTED = 100;

/** The outcome of a record before its first file. */
export const emptyOutcome = ({ folders, integration, record }: Place): Outcome => ({
  organization: folders.organization,
  integration: integration.id,
  connector: record.connector,
  record: record.name,
  seen: 0,
  files: 0,
  landed: 0,
  replaced: 0,
  rejected: 0,
  seconds: 0,
  refused: [],
  refusedMore: 0,
  notes: [],
  postponed: 0,
  revoked: [],
  revokedMore: 0,
});

export interface Landing {
  readonly outcome: Outcome;
  readonly failures: readonly LandingFailure[];
  /** Landed files that were damaged or missing and were repaired. */
  readonly repaired: readonly string[];
}

/** Adds a file that could not be read. */
export function reportRefused(outcome: Outcome, file: string, reason: string): void {
  if (outcome.refused.length < MOST_LISTED) outcome.refused.push({ file, reason });
  else outcome.refusedMore++;
}

/** Adds a file that landed and was revoked. */
export function reportRevoked(outcome: Outcome, file: string, landing: number): void {
  if (outcome.revoked.length < MOST_LISTED) outcome.revoked.push({ file, landing });
  else outcome.revokedMore++;
}

/** The first failures, and how many more there are. */
export function listed(failures: readonly LandingFailure[]): readonly LandingFailure[] {
  const more = failures.length - MOST_LISTED;
  return more <= 0 ? failures : [...failures.slice(0, MOST_LISTED), { reason: `${countText(more)} more failures` }];
}

/** Adds the notes of a file that landed: columns that did not land, and what it cannot give. */
export function reportNotes(outcome: Outcome, { file, unknown, notes }: Read): void {
  const columns =
    unknown.length > 0 ? [`columns that are no fields of the record do not land: ${shortened(unknown)}`] : [];
  const all = [...columns, ...notes].map((note) => ({ file: file.name, note }));
  outcome.notes.push(...all.slice(0, MOST_LISTED - outcome.notes.length));
}
