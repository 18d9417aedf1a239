import { CONNECTOR_KINDS, type Connector, relationOf } from "../../core/contract/record.ts";
import type { Session } from "../../core/engine/database.ts";
import { readSql } from "../../core/engine/sql.ts";
import type { Sets } from "./sets.ts";

/** The landed records that a figure is made of: those that its SQL reads, of the connectors that its sets are from. */
export async function sourcesIn(session: Session, read: ReadonlySet<string>, sets: Sets): Promise<object[]> {
  const kinds = kindsOf(sets);
  const rows = await session.rows(readSql("explain/sources"));
  return rows
    .filter(({ connector, record }) => {
      const declared = { connector: connector as Connector, name: String(record) };
      return read.has(relationOf(declared)) && isOfKind(declared.connector, kinds);
    })
    .map(({ integrationId, record, files, rows: number, newestDay, lastLandedAt }) => ({
      integrationId,
      record,
      files: Number(files),
      rows: Number(number),
      newestDay,
      lastLandedAt,
    }));
}

const isOfKind = (connector: Connector, kinds: ReadonlySet<string>): boolean =>
  kinds.size === 0 || kinds.has(CONNECTOR_KINDS[connector]);

/** The kinds of the connectors whose records are in the sets; empty if the declaration of the figure names no sets. */
function kindsOf({ orders, spend, sales, also }: Sets): ReadonlySet<string> {
  const kinds = new Set<string>(also);
  if (orders.length > 0 || sales.length > 0) kinds.add("store");
  if (spend.length > 0) kinds.add("ads");
  // The names of campaigns decide to which one an order is attributed.
  const values = orders.flatMap(({ own = [], first = [] }) => [...own, ...first]);
  if (values.some(({ attribute }) => ["strategy", "campaign"].includes(attribute))) kinds.add("ads");
  return kinds;
}
