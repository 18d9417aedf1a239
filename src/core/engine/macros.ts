import type { BlocksEndpoint, Endpoint } from "../contract/endpoint.ts";
import { identifier, type Session } from "./database.ts";

/** The macros of all groups. */
const macrosOf = ({ groups }: BlocksEndpoint): string[] => [...new Set(Object.values(groups).flat())];

/** The table macros that several parts of the answer read, each after those that it reads. */
export const sharedMacros = (endpoint: Endpoint): readonly string[] =>
  endpoint.by === "blocks" ? macrosOf(endpoint) : (endpoint.materialize ?? []);

/** Replaces a table macro by a table with its rows, or a selection of them, for this session only. */
export async function materializeMacro(
  session: Session,
  macro: string,
  rows = `from ${identifier(macro)}()`,
): Promise<void> {
  const kept = identifier(`kept_${macro}`);
  await session.run(`create temp table ${kept} as ${rows}`);
  await session.run(`create temp macro ${identifier(macro)}() as table from ${kept}`);
}

/**
 * Creates the macros of a SQL text so that a statement computes the shared ones among them once: by their names, all read
 * the rows that it has before its parts (`sharedRows`).
 */
export async function shareMacros(session: Session, sql: string, shared: readonly string[]): Promise<void> {
  await session.run(
    shared.reduce((text, macro) => text.replace(`macro ${macro}()`, `macro ${computing(macro)}()`), sql),
  );
  for (const macro of shared) {
    // A macro can only be created over a table that exists. In a statement its rows have the same name.
    await session.run(`create temp table ${rowsOf(macro)} as from ${computing(macro)}() limit 0`);
    await session.run(`create temp macro ${identifier(macro)}() as table from ${rowsOf(macro)}`);
  }
}

/** The beginning of a statement over shared macros. */
export const sharedRows = (shared: readonly string[]): string =>
  shared.length === 0
    ? ""
    : `with ${shared.map((macro) => `${rowsOf(macro)} as materialized (from ${computing(macro)}())`).join(", ")} `;

const computing = (macro: string): string => identifier(`computed_${macro}`);
const rowsOf = (macro: string): string => identifier(`shared_${macro}`);
