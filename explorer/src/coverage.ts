import { earlier, lengthOf, QUIET_DAYS } from "./days.ts";
import { ADS, type Organization, STORES } from "./session.ts";

/** How far the data of each store and account of ads go, as the answers' `coverage` says. */
export interface Coverage {
  readonly stores: readonly Covered[];
  readonly accounts: readonly Covered[];
}

interface Covered {
  readonly integrationId: string;
  readonly lastDay: string | null;
}

/** The same, as the organization's integrations say, for answers without it. */
export function coverageOf(connectors: Organization["connectors"]): Coverage {
  const of = (names: readonly string[]): Covered[] =>
    connectors
      .filter(({ connector }) => names.includes(connector))
      .map(({ integrationId, newestDay }) => ({ integrationId, lastDay: newestDay }));
  return { stores: of(STORES), accounts: of(ADS) };
}

/** A store or an account whose data end within a period or before it: its figures lack what came later. */
export interface Lack {
  readonly integrationId: string;
  readonly is: "store" | "account";
  /** Null if it has never brought a day. */
  readonly lastDay: string | null;
}

/** What the figures up to a day lack: `last` is the last full day of any source, after which nothing is expected. */
export function lacksOf(coverage: Coverage | undefined, until: string | null, last: string): readonly Lack[] {
  if (!coverage) return [];
  const end = until === null ? last : earlier(until, last);
  const behind = (all: readonly Covered[], is: Lack["is"], quiet: number): Lack[] =>
    all.filter(({ lastDay }) => lastDay === null || lengthOf(lastDay, end) - 1 > quiet).map((one) => ({ ...one, is }));
  return [...behind(coverage.stores, "store", QUIET_DAYS), ...behind(coverage.accounts, "account", 0)];
}
