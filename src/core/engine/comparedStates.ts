import path from "node:path";
import type { RequestContext } from "../contract/endpoint.ts";
import { identifier, type Session } from "./database.ts";
import { readSql } from "./sql.ts";
import { timed } from "./timed.ts";

/** The folders of the states that are compared [D84]; `between`: the later landings under the earlier settings. */
export interface ComparedFolders {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** Sets `marts_before`, `marts_between` and `marts_after`, and computes what the endpoint reads of each state. */
export async function openStates(
  session: Session,
  { endpoint, onQuery }: Pick<RequestContext, "endpoint" | "onQuery">,
  folders: ComparedFolders,
): Promise<void> {
  const states = Object.entries(folders);
  for (const [name, folder] of states) await session.set(`marts_${name}`, folder);
  const { each } = endpoint.compares ?? {};
  if (each === undefined) return;
  const made = new Map<string, string>();
  for (const [name, folder] of states) {
    const table = identifier(`${name}_${path.basename(each)}`);
    const same = made.get(folder);
    await session.set("marts", folder);
    if (same) await session.run(`create temp table ${table} as from ${same}`);
    else await timed(each, onQuery, () => session.run(`create temp table ${table} as ${readSql(each)}`));
    made.set(folder, table);
  }
  await session.set("marts", folders.after);
}
