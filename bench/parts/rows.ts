import path from "node:path";
import { Database, literal } from "../../src/core/engine/database.ts";
import type { Service } from "../lab/service.ts";
import { inTurn, type Rounds } from "../lab/timing.ts";

export interface Rows {
  /** Rows per second of a page of 5,000, over HTTP and by the engine's own COPY to JSON. */
  readonly page: number;
  readonly copy: number;
  /** Milliseconds of page 1 and page 1,000 of 500 rows, in stored order and sorted. */
  readonly first: number;
  readonly thousandth: number;
  readonly firstSorted: number;
  readonly thousandthSorted: number;
}

const ORDERS = "/v1/storea/orders";
const ROUNDS: Rounds = { uncounted: 1, least: 5, most: 5, seconds: 0 };

/** Pages of orders as their store has them. */
export async function measureRows(service: Service, marts: string, spool: string): Promise<Rows> {
  const database = await Database.open({ threads: 2 });
  try {
    const file = path.join(spool, "page.json");
    const copy = `copy (from read_parquet(${literal(`${marts}/storea_order_rows*.parquet`)}) limit 5000)
      to ${literal(file)} (format json, array true)`;
    const get = (address: string): Promise<unknown> => service.computed(address);
    const [page, bare, first, thousandth, firstSorted, thousandthSorted] = await inTurn(ROUNDS, [
      () => get(`${ORDERS}?limit=5000`),
      () => database.use((session) => session.run(copy)),
      () => get(`${ORDERS}?limit=500`),
      () => get(`${ORDERS}?limit=500&page=1000`),
      () => get(`${ORDERS}?limit=500&orderBy=value&orderDirection=DESC`),
      () => get(`${ORDERS}?limit=500&page=1000&orderBy=value&orderDirection=DESC`),
    ]);
    return {
      page: 5_000_000 / (page?.median ?? 0),
      copy: 5_000_000 / (bare?.median ?? 0),
      first: first?.median ?? 0,
      thousandth: thousandth?.median ?? 0,
      firstSorted: firstSorted?.median ?? 0,
      thousandthSorted: thousandthSorted?.median ?? 0,
    };
  } finally {
    database.close();
  }
}
