import type { BlocksEndpoint } from "../contract/endpoint.ts";
import { identifier, type Session } from "./database.ts";

/** The macros of all groups. */
export const macrosOf = ({ groups }: BlocksEndpoint): string[] => [...new Set(Object.values(groups).flat())];

/** Replaces a table macro by a table with its rows, for this session only. */
export async function materializeMacro(session: Session, macro: string): Promise<void> {
  const kept = identifier(`kept_${macro}`);
  await session.run(`create temp table ${kept} as from ${identifier(macro)}()`);
  await session.run(`create temp macro ${identifier(macro)}() as table from ${kept}`);
}
