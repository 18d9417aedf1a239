import type { Facts } from "./facts.ts";

interface Dates {
  readonly end: string | null;
}

interface Covered {
  readonly integrationId: string;
  readonly lastDay: string | null;
}

/** The `coverage` of an answer [D23]: of stores alone if no figure of it is computed from spend. */
export function coverageOf(
  { lastDays, horizon }: Facts,
  { end }: Dates,
  of: "all" | "stores" = "all",
): { readonly stores: Covered[]; readonly accounts: Covered[] } {
  const needed = end ?? horizon;
  const behind = lastDays.filter(({ lastDay }) => needed !== null && (lastDay === null || lastDay < needed));
  const ofKind = (wanted: string): Covered[] =>
    behind.filter(({ kind }) => kind === wanted).map(({ integrationId, lastDay }) => ({ integrationId, lastDay }));
  return { stores: ofKind("store"), accounts: of === "all" ? ofKind("ads") : [] };
}
