import { identifier, literal, type Session } from "../engine/database.ts";
import type { CoreRelation } from "./relations.ts";

/**
 * The bounds between the partitions of an organization's relations: the first days, and the first order ids, of all partitions but
 * the first. All dated relations share one list of days, so that a changed order is in the same few partitions of each.
 */
export interface PartitionBounds {
  readonly days: readonly string[];
  readonly ids: readonly string[];
}

export const ONE_PARTITION: PartitionBounds = { days: [], ids: [] };

/** The sizes of partitions, and when an increment is not worthwhile. */
export interface PartitionPolicy {
  /** The approximate number of orders in a partition. */
  readonly partOrders: number;
  /** If more than this share of all orders is touched, deriving all of them is as fast. */
  readonly mostTouched: number;
  /** The newest partition gets all new orders; if it exceeds its planned size by this factor, it is divided. */
  readonly mostGrown: number;
  /** If there are so many times more partitions than planned, everything is split again. */
  readonly mostDivided: number;
}

/** `partOrders` is the size of the engine's row groups. */
export const PARTITION_POLICY: PartitionPolicy = {
  partOrders: 122_880,
  mostTouched: 0.2,
  mostGrown: 4,
  mostDivided: 2,
};

/** The newest orders change most: the newest partitions are parts of one, so that a day's export rewrites little. */
const NEWEST_PARTS = [16, 16, 8, 4, 2];

/** The planned number of orders in a partition by id; a day's orders may have ids in any of them. */
const ordersById = ({ partOrders }: PartitionPolicy): number => Math.ceil(partOrders / 4);
/** So many partitions by id there are at least. */
const LEAST_BY_ID = 4;

/** The planned number of orders in a partition; the newest has number 0. */
const plannedOrders = ({ partOrders }: PartitionPolicy, no: number): number =>
  Math.ceil(partOrders / (NEWEST_PARTS[no] ?? 1));

/** A range of a relation's rows, and its file. The first and the last partition are open ranges. */
export interface Partition {
  readonly file: string;
  readonly by: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Finds the bounds of the partitions of `store_orders`; orders that fit into the newest partition are one partition. */
export async function partition(session: Session, policy: PartitionPolicy): Promise<PartitionBounds> {
  const starts = startsOf(await ordersByDay(session, "store_orders"), policy);
  if (starts.length === 0) return ONE_PARTITION;
  const [ids] = await session.rows(
    `select greatest(count(*) // ${ordersById(policy)}, ${LEAST_BY_ID}) as parts from store_orders`,
  );
  const parts = Number(ids?.parts);
  const shares = Array.from({ length: parts - 1 }, (_, n) => ((n + 1) / parts).toFixed(9));
  const orderIds =
    shares.length === 0
      ? []
      : await session.texts(
          `select distinct unnest(quantile_disc(order_id, [${shares.join(", ")}])) as id
      from store_orders order by id`,
        );
  return { days: starts, ids: orderIds };
}

/** Divides the newest partition when it has outgrown its plan; undefined when everything has to be split again. */
export async function divided(
  session: Session,
  bounds: PartitionBounds,
  policy: PartitionPolicy,
  orders: string,
): Promise<PartitionBounds | undefined> {
  const from = bounds.days.at(-1) as string;
  const days = await ordersByDay(session, `(${orders}) where ordered_on >= ${literal(from)}`);
  const newest = days.reduce((sum, { orders }) => sum + orders, 0);
  if (newest <= policy.mostGrown * plannedOrders(policy, 0)) return bounds;
  const [start] = startsOf(days, policy).slice(-1);
  if (start === undefined) return bounds;
  const planned = startsOf(await ordersByDay(session, `(${orders})`), policy).length;
  const starts = [...bounds.days, start];
  return starts.length > policy.mostDivided * planned ? undefined : { ...bounds, days: starts };
}

interface Day {
  readonly day: string;
  readonly orders: number;
}

/** How many orders each day has, the newest first. */
async function ordersByDay(session: Session, orders: string): Promise<Day[]> {
  const rows = await session.rows(
    `select ordered_on::varchar as day, count(*)::int as orders from ${orders} group by ordered_on order by ordered_on desc`,
  );
  return rows.map(({ day, orders }) => ({ day: String(day), orders: Number(orders) }));
}

/** The first days of all partitions but the oldest. */
function startsOf(days: readonly Day[], policy: PartitionPolicy): string[] {
  const starts: string[] = [];
  let sum = 0;
  for (const { day, orders } of days.slice(0, -1)) {
    sum += orders;
    if (sum < plannedOrders(policy, starts.length)) continue;
    starts.unshift(day);
    sum = 0;
  }
  return starts;
}

/** The partitions of a relation, the oldest first. Their files sort in that order: `orders.000`, `orders.001`, `orders`. */
export function partitionsOf({ name, partition: parts }: CoreRelation, bounds: PartitionBounds): Partition[] {
  if (!parts) throw new Error(`${name} has no parts`);
  const starts = bounds[parts.bounds];
  return [undefined, ...starts].map((from, no) => ({
    file: no === starts.length ? `${name}.parquet` : `${name}.${String(no).padStart(3, "0")}.parquet`,
    by: parts.by,
    from,
    to: starts[no],
  }));
}

/** The SQL condition that a row is in the partition; `column` replaces the partition's own column. */
export function bounded({ by, from, to }: Partition, column = identifier(by)): string {
  const bounds = [
    ...(from === undefined ? [] : [`${column} >= ${literal(from)}`]),
    ...(to === undefined ? [] : [`${column} < ${literal(to)}`]),
  ];
  return bounds.length === 0 ? "true" : bounds.join(" and ");
}
