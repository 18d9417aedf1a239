import type { Logs } from "../../../core/coordination/coordination.ts";
import type { Connections } from "./connections.ts";

const ADD = `
insert into lucra.logs (name, number, line)
  select $1, coalesce(max(number), 0) + 1, $2 from lucra.logs where name = $1`;
const AFTER = "select number::float8 as number, line from lucra.logs where name = $1 and number > $2 order by number";

/** Logs whose lines are rows. */
export const postgresLogs = (connections: Connections): Logs => ({
  append: (name, line) =>
    connections.transaction(async (query) => {
      // One after the other: a reader that has seen a number has seen all before it.
      await query("select pg_advisory_xact_lock(hashtextextended('lucra log ' || $1, 0))", [name]);
      await query(ADD, [name, JSON.stringify(line)]);
    }),
  read: async (name, after) => {
    const rows = await connections.query(AFTER, [name, after]);
    return { lines: rows.map(({ line }) => line as object), place: Number(rows.at(-1)?.number ?? after) };
  },
});
