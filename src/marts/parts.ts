import { identifier, literal, type Session } from "../engine/database.ts";
import type { CoreRelation } from "./relations.ts";

/**
 * Where the parts of an organization's relations begin, all but the first: the first days, and the first order ids. One
 * list of days serves every relation that is dated, so that what changes of an order is in the same few parts of each.
 */
export interface Bounds {
  readonly days: readonly string[];
  readonly ids: readonly string[];
}

export const ONE_PART: Bounds = { days: [], ids: [] };

/** How orders are cut in parts, and when an increment is not worth it. */
export interface Cutting {
  /** About so many orders are a part. */
  readonly partOrders: number;
  /** When more than this share of all orders is touched, deriving all of them is as quick. */
  readonly mostTouched: number;
  /** The newest part takes all that is new; when it has grown to so many times what it was cut for, all is cut anew. */
  readonly mostGrown: number;
}

/** As many rows as the engine puts in one group of a file. */
export const CUTTING: Cutting = { partOrders: 122_880, mostTouched: 0.2, mostGrown: 4 };

/** The newest orders change most: there so many parts hold less, so that a day's export makes little anew. */
const NEWEST_PARTS = 4;

/** How many orders one of the newest parts is cut for. */
export const newestOrders = ({ partOrders }: Cutting): number => Math.ceil(partOrders / NEWEST_PARTS);

/** A range of a relation's rows, and its file. The last part is open, as the first is. */
export interface Part {
  readonly file: string;
  readonly by: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Cuts the orders of `store_orders` in parts; those of few orders are one. */
export async function cut(session: Session, cutting: Cutting): Promise<Bounds> {
  const days = await session.rows(
    "select ordered_on::varchar as day, count(*)::int as orders from store_orders group by ordered_on order by ordered_on desc",
  );
  const starts: string[] = [];
  let orders = 0;
  for (const { day, orders: ofDay } of days.slice(0, -1)) {
    orders += Number(ofDay);
    if (orders < (starts.length < NEWEST_PARTS ? newestOrders(cutting) : cutting.partOrders)) continue;
    starts.unshift(String(day));
    orders = 0;
  }
  if (starts.length === 0) return ONE_PART;
  const [ids] = await session.rows(
    `select greatest(count(*) // ${newestOrders(cutting)}, 1) as parts from store_orders where connector = 'storea'`,
  );
  const parts = Number(ids?.parts);
  const shares = Array.from({ length: parts - 1 }, (_, n) => ((n + 1) / parts).toFixed(9));
  const orderIds =
    shares.length === 0
      ? []
      : await session.texts(
          `select distinct unnest(quantile_disc(order_id, [${shares.join(", ")}])) as id
      from store_orders where connector = 'storea' order by id`,
        );
  return { days: starts, ids: orderIds };
}

/** The parts of a relation, the oldest first. Their files sort in that order: `orders.000`, `orders.001`, `orders`. */
export function partsOf({ name, parts }: CoreRelation, bounds: Bounds): Part[] {
  if (!parts) throw new Error(`${name} is kept whole`);
  const starts = bounds[parts.bounds];
  return [undefined, ...starts].map((from, no) => ({
    file: no === starts.length ? `${name}.parquet` : `${name}.${String(no).padStart(3, "0")}.parquet`,
    by: parts.by,
    from,
    to: starts[no],
  }));
}

/** The condition that a row is in the part, of the column that decides it or what stands for that. */
export function bounded({ by, from, to }: Part, column = identifier(by)): string {
  const bounds = [
    ...(from === undefined ? [] : [`${column} >= ${literal(from)}`]),
    ...(to === undefined ? [] : [`${column} < ${literal(to)}`]),
  ];
  return bounds.length === 0 ? "true" : bounds.join(" and ");
}
