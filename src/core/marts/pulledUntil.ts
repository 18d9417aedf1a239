import { readFile } from "node:fs/promises";
import type { Organization } from "../contract/settings.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { addDays, dayIn } from "../time/days.ts";

/** By integration: the last whole day of which a complete pull asked for what figures are made of. */
export type Pulled = Readonly<Record<string, string>>;

/** The records with the orders of stores and the spend of ad accounts. */
const OF_FIGURES = ["orders", "campaigns"];

/** When a complete pull of a record began, and until when it had been shown all changes, if that is earlier [D63]. */
interface CompletePull {
  readonly completeAt?: string;
  readonly until?: string;
}

/** Those days of an organization's stores and ad accounts [D23]. */
export async function pulledUntil(folders: OrganizationFolders, { integrations = [] }: Organization): Promise<Pulled> {
  const days: Record<string, string> = {};
  for (const { id, pull, timezone = "UTC" } of integrations) {
    if (pull === undefined) continue;
    const records = await completePullsIn(folders.pullState(id));
    const known = OF_FIGURES.flatMap((name) => lastWholeDay(records[name], timezone) ?? [])[0];
    if (known !== undefined) days[id] = known;
  }
  return days;
}

/** The state of an integration's pulls, by record; empty if it is missing or damaged: they then ask for everything again. */
async function completePullsIn(file: string): Promise<Readonly<Record<string, CompletePull>>> {
  try {
    const { records = {} } = JSON.parse(await readFile(file, "utf8")) ?? {};
    return records;
  } catch {
    return {};
  }
}

/** The day on which a pull began was not over: the one before it is the last that was asked for as a whole. */
function lastWholeDay({ completeAt, until }: CompletePull = {}, timezone: string): string | undefined {
  const asked = [completeAt, until].flatMap((at) => (at === undefined ? [] : Date.parse(at)));
  if (completeAt === undefined || asked.some(Number.isNaN)) return undefined;
  return addDays(dayIn(timezone, new Date(Math.min(...asked))), -1);
}
