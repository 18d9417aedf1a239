import type { Value as Bound, Session } from "../../core/engine/database.ts";
import { readSql } from "../../core/engine/sql.ts";
import { anyOf, Binding, isOrderIn, isSpendIn, salesIn } from "./conditions.ts";
import type { OrderSet, SaleSet, SpendSet } from "./sets.ts";

/** Orders, counted. */
interface OrderCount {
  readonly orders: number;
  /** The same only for the same orders. */
  readonly fingerprint: string;
}

async function countOrders(session: Session, keys: string, values: Bound[] = []): Promise<OrderCount> {
  const [row] = await session.rows(
    `select count(*) as orders, bit_xor(hash(integration_id, order_id))::varchar as hash from (${keys})`,
    values,
  );
  return { orders: Number(row?.orders), fingerprint: `${row?.orders} ${row?.hash}` };
}

/** The orders in any of the sets. */
export function countUsed(session: Session, sets: readonly OrderSet[]): Promise<OrderCount> {
  const binding = new Binding();
  const where = anyOf(sets.map((set) => isOrderIn(binding, set)));
  return countOrders(session, `select integration_id, order_id from orders where ${where}`, binding.values);
}

/** The orders on the pages for the parameters in `p`. */
export function countSelected(session: Session): Promise<OrderCount> {
  const keys = `select "integrationId" as integration_id, "orderId" as order_id from (${readSql("profitability/orders")})`;
  return countOrders(session, keys);
}

export interface LeftOut {
  readonly reason: string;
  readonly orders: number;
  readonly value: number;
}

/** The orders that would be in any of the sets if they were counted, by reason. Uncounted orders have no customer. */
export async function countLeftOut(session: Session, sets: readonly OrderSet[]): Promise<LeftOut[]> {
  const open = sets.filter((set) => !isOfCustomers(set) && !set.order);
  if (open.length === 0) return [];
  const binding = new Binding();
  const where = anyOf(open.map(({ ordered, own, requested }) => isOrderIn(binding, { ordered, own, requested })));
  const rows = await session.rows(
    `select reason, count(*) as orders, money(sum(revenue)) as "value"
      from uncounted_orders where ${where} group by reason order by reason`,
    binding.values,
  );
  return rows.map(({ reason, orders, value }) => ({
    reason: String(reason),
    orders: Number(orders),
    value: Number(value ?? 0),
  }));
}

/** Whether the set is restricted by the orders' customers. */
const isOfCustomers = ({ acquired, before, after, purchase, first, isFirst, isLater, own = [] }: OrderSet): boolean =>
  [acquired, before, after, purchase, first, isFirst, isLater].some((restriction) => restriction !== undefined) ||
  own.some(({ attribute }) => attribute === "new_or_recurring");

/** The number of rows of `media_spend` in any of the sets. `isFiltered`: of those that pass the filters in `p`. */
export async function countSpend(session: Session, sets: readonly SpendSet[], isFiltered: boolean): Promise<number> {
  if (sets.length === 0) return 0;
  const binding = new Binding();
  const where = anyOf(sets.map((set) => isSpendIn(binding, set)));
  const relation = isFiltered ? "analysed_spend()" : "media_spend";
  const [row] = await session.rows(`select count(*) as rows from ${relation} where ${where}`, binding.values);
  return Number(row?.rows);
}

/** The number of sales in any of the sets. `p` has the parameters of the explained endpoint. */
export async function countSales(session: Session, sets: readonly SaleSet[]): Promise<number> {
  if (sets.length === 0) return 0;
  const binding = new Binding();
  const keys = sets.map((set) => salesIn(binding, set)).join(" union ");
  const [row] = await session.rows(`select count(*) as sales from (${keys})`, binding.values);
  return Number(row?.sales);
}
