import type { Organization } from "../contract/settings.ts";
import { isPulled } from "./accounts.ts";
import { addDays, dayIn } from "./days.ts";
import { pullState, type RecordState } from "./state.ts";
import { earlierInstant } from "./sweep.ts";

/** By integration: the last whole day of which a complete pull asked for what figures are made of. */
export type Pulled = Readonly<Record<string, string>>;

/** The records with the orders of stores and the spend of ad accounts. */
const OF_FIGURES = ["orders", "campaigns"];

/** Those days of an organization's stores and ad accounts [D23]. */
export async function pulledUntil(
  dataDir: string,
  organization: string,
  { integrations = [] }: Organization,
): Promise<Pulled> {
  const days: Record<string, string> = {};
  for (const { id, timezone = "UTC" } of integrations.filter(isPulled)) {
    const { records } = await pullState(dataDir, organization, id);
    const known = OF_FIGURES.flatMap((name) => lastWholeDay(records[name], timezone) ?? [])[0];
    if (known !== undefined) days[id] = known;
  }
  return days;
}

/** The day on which a pull began was not over: the one before it is the last that was asked for as a whole. */
function lastWholeDay({ completeAt, until }: RecordState = {}, timezone: string): string | undefined {
  if (completeAt === undefined) return undefined;
  const asked = until === undefined ? completeAt : earlierInstant(until, completeAt);
  return addDays(dayIn(timezone, new Date(asked)), -1);
}
