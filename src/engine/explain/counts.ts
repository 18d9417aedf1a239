import type { Value as Bound, Session } from "../database.ts";
import { readSql } from "../sql.ts";
import type { Orders, Sales, Span, Spend, Value } from "./places.ts";

/** Collects the bound values of a statement. */
class Binding {
  readonly values: Bound[] = [];

  /** The placeholder of a value. */
  of(value: string, type = "varchar"): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  between(days: string, { from, to }: Span): string[] {
    return [
      ...(from === null ? [] : [`${days} >= ${this.of(from, "date")}`]),
      ...(to === null ? [] : [`${days} <= ${this.of(to, "date")}`]),
    ];
  }

  is(column: string, value: string | null): string {
    return value === null ? `${column} is null` : `${column} = ${this.of(value)}`;
  }
}

const allOf = (conditions: readonly string[]): string => (conditions.length === 0 ? "true" : conditions.join(" and "));
const anyOf = (sets: readonly string[]): string =>
  sets.length === 0 ? "false" : sets.map((one) => `(${one})`).join(" or ");

/** Of the campaigns with an id: of one connector, if it is known. A campaign that never landed has its key as id. */
function isCampaign(binding: Binding, prefix: string, { is, source }: Value): string {
  const [connector, key] = [`${prefix}campaign_connector`, `${prefix}campaign_key`];
  if (is === null) return `${key} is null`;
  return anyOf([
    ...(source === null ? [] : [`(${connector}, ${key}) in (${campaignsWith(binding, is, source)})`]),
    ...(source ? [] : [`${connector} is null and ${key} = ${binding.of(is)}`]),
  ]);
}

const campaignsWith = (binding: Binding, id: string, connector: string | undefined): string =>
  `select connector, campaign_key from campaigns where ${allOf([
    binding.is("campaign_id", id),
    ...(connector === undefined ? [] : [binding.is("connector", connector)]),
  ])}`;

/** Customers whose first purchase contains a product, or one of a category of its own. */
function hasFirstProduct(binding: Binding, { attribute, is, source }: Value): string {
  const isThat =
    attribute === "produto"
      ? binding.is("bought.product_id", is)
      : binding.is("coalesce(products.category_id, 'uncategorized')", is);
  const store = source ? ` and bought.integration_id = ${binding.of(source)}` : "";
  return `customer_no in (
    select bought.customer_no
    from first_purchases as bought
    left join products using (integration_id, product_id)
    where ${isThat}${store}
  )`;
}

/** Orders with a line of a product, or of a category; null: every order has what is no line. */
function hasProduct(binding: Binding, { attribute, is, source }: Value): string {
  if (is === null) return "true";
  const isThat =
    attribute === "produto"
      ? binding.is("lines.product_id", is)
      : binding.is("coalesce(products.category_id, 'uncategorized')", is);
  const store = source ? ` and lines.integration_id = ${binding.of(source)}` : "";
  return `(integration_id, order_id) in (
    select lines.integration_id, lines.order_id
    from order_lines as lines
    left join products using (integration_id, product_id)
    where lines.product_id is not null and ${isThat}${store}
  )`;
}

function hasValue(binding: Binding, value: Value, prefix: "" | "first_"): string {
  switch (value.attribute) {
    case "campaign":
      return isCampaign(binding, prefix, value);
    case "integration":
      return binding.is("integration_id", value.is);
    case "cupom":
      return binding.is(`${prefix}coupon`, value.is);
    case "produto":
    case "categoria":
      return prefix === "" ? hasProduct(binding, value) : hasFirstProduct(binding, value);
    default:
      return binding.is(`${prefix}${value.attribute}`, value.is);
  }
}

function isAmong(binding: Binding, set: Orders): string {
  const { ordered, isStep, acquired, before, after, purchase, own, first, cost, isLater, months, order } = set;
  return allOf([
    ...(ordered ? binding.between(isStep ? "greatest(ordered_on, first_on)" : "ordered_on", ordered) : []),
    ...(acquired ? ["customer_no is not null", ...binding.between("first_on", acquired)] : []),
    ...(before ? [before.from === null ? "false" : `first_on < ${binding.of(before.from, "date")}`] : []),
    ...(purchase ? [purchase === "first" ? "not is_recurring" : "is_recurring"] : []),
    ...(own ? [hasValue(binding, own, "")] : []),
    ...(first ? [hasValue(binding, first, "first_")] : []),
    ...(cost ? [cost === "real" ? "has_real_cost" : "not has_real_cost"] : []),
    ...(isLater ? ["ordered_month > first_month"] : []),
    ...(after && after.to !== null ? [`coalesce(first_on > ${binding.of(after.to, "date")}, true)`] : []),
    ...(months === undefined ? [] : [`date_diff('month', first_month, ordered_month) <= ${months}`]),
    ...(order ? [binding.is("order_id", order.orderId), binding.is("integration_id", order.integrationId)] : []),
  ]);
}

/** Parameters of the page of orders. */
export type Selection = Readonly<Record<string, string>>;

const FIRST_DAY = "0001-01-01";
const LAST_DAY = "9999-12-31";

/** The parameters that select a set of orders; undefined if there are none that can. */
export function selectionOf(set: Orders): Selection | undefined {
  const { ordered, acquired, before, after, purchase, own, first, cost, isLater, months, order } = set;
  const isSelectable = !cost && !isLater && !after && months === undefined && !order;
  if (!isSelectable || (first && (purchase !== "first" || own))) return undefined;
  const attribute = attributeOf(own ?? first);
  if (!attribute) return undefined;
  const days = ordered ? bounds(ordered, "startDate", "endDate") : {};
  const isEveryone = acquired && acquired.from === null && acquired.to === null;
  const customers = !acquired
    ? {}
    : isEveryone && Object.keys(days).length === 0
      ? { customer: "new" }
      : { acquiredStart: acquired.from ?? FIRST_DAY, acquiredEnd: acquired.to ?? LAST_DAY };
  return {
    ...days,
    ...customers,
    ...(before ? { customer: "recurring" } : {}),
    ...(purchase ? { purchase } : {}),
    ...attribute,
  };
}

const bounds = ({ from, to }: Span, start: string, end: string): Selection =>
  from === null && to === null ? {} : { [start]: from ?? FIRST_DAY, [end]: to ?? LAST_DAY };

function attributeOf(value: Value | undefined): Selection | undefined {
  if (!value) return {};
  if (value.attribute === "strategy") return { strategy: value.is ?? "unclassified" };
  if (value.is === null) return undefined;
  if (value.attribute === "channel") return { channel: value.is };
  if (value.attribute === "integration") return { integrationId: value.is };
  return value.attribute === "campaign" && value.source !== null ? { campaignId: value.is } : undefined;
}

/** A set of orders. */
interface Counted {
  readonly orders: number;
  /** The same for sets with the same orders only. */
  readonly name: string;
}

const counted = async (session: Session, rows: string, values: Bound[] = []): Promise<Counted> => {
  const [row] = await session.rows(
    `select count(*) as orders, bit_xor(hash(integration_id, order_id))::varchar as hash from (${rows})`,
    values,
  );
  return { orders: Number(row?.orders), name: `${row?.orders} ${row?.hash}` };
};

/** The orders that the sets hold together. */
export function usedOrders(session: Session, sets: readonly Orders[]): Promise<Counted> {
  const binding = new Binding();
  const where = anyOf(sets.map((set) => isAmong(binding, set)));
  return counted(session, `select integration_id, order_id from orders where ${where}`, binding.values);
}

/** Names the set of the orders on the pages for the parameters in `p`. */
export async function selectedOrders(session: Session): Promise<string> {
  const rows = `select "integrationId" as integration_id, "orderId" as order_id from (${readSql("profitability/orders")})`;
  return (await counted(session, rows)).name;
}

export interface LeftOut {
  readonly reason: string;
  readonly orders: number;
  readonly value: number;
}

/** The orders that are in the sets except that they are not counted; those have no customer. */
export async function countLeftOut(session: Session, sets: readonly Orders[]): Promise<LeftOut[]> {
  const binding = new Binding();
  const open = sets.filter(
    ({ acquired, before, after, purchase, first, isLater, order }) =>
      !acquired && !before && !after && !purchase && !first && !isLater && !order,
  );
  if (open.length === 0) return [];
  const where = anyOf(
    open.map(({ ordered, own }) => isAmong(binding, { ...(ordered ? { ordered } : {}), ...(own ? { own } : {}) })),
  );
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

/** How many rows of `media_spend` the sets hold together. */
export async function countSpend(session: Session, sets: readonly Spend[]): Promise<number> {
  if (sets.length === 0) return 0;
  const binding = new Binding();
  const where = anyOf(
    sets.map(({ spent, of }) =>
      allOf([...binding.between("spent_on", spent), ...(of ? [isSpentOn(binding, of)] : [])]),
    ),
  );
  const [row] = await session.rows(`select count(*) as rows from media_spend where ${where}`, binding.values);
  return Number(row?.rows);
}

function isSpentOn(binding: Binding, { attribute, is, source }: Value): string {
  if (attribute === "strategy") return binding.is("strategy", is);
  // The channel of spend has the name of its connector [D15].
  if (attribute === "channel") return binding.is("connector", is);
  if (attribute !== "campaign" || is === null) return "false";
  return source === null ? "false" : `(connector, campaign_key) in (${campaignsWith(binding, is, source)})`;
}

/** The number of sales of the requested store that the sets hold together. `p` has the parameters of the explained endpoint. */
export async function countSales(session: Session, sets: readonly Sales[]): Promise<number> {
  if (sets.length === 0) return 0;
  const binding = new Binding();
  const branches = sets.map((set) => salesOf(binding, set));
  const [row] = await session.rows(`select count(*) as sales from (${branches.join(" union ")})`, binding.values);
  return Number(row?.sales);
}

function salesOf(binding: Binding, { of, span, product, category, coupon, channel, integration }: Sales): string {
  if (of === "invoiced") {
    const store = integration === null ? [] : [binding.is("integration_id", integration)];
    return `select integration_id, order_id from sales where ${allOf([...binding.between("sold_on", span), ...store])}`;
  }
  const store = "integration_id = requested_store_id()";
  const products =
    product !== null
      ? `select ${binding.of(product)}`
      : category !== null
        ? `select selected.product_id from selected_products() as selected join product_categories as nodes
            on nodes.integration_id = requested_store_id() and nodes.category_id = selected.category_id
            where nodes.rollup_id = ${binding.of(category)}`
        : "select product_id from selected_products()";
  const sold = `select integration_id, order_id from product_sales where ${store} and product_id in (${products})`;
  if (of === "sold") {
    return `${sold} and ${allOf([...binding.between("sold_on", span), ...(coupon === null ? [] : [binding.is("coupon", coupon)])])}`;
  }
  if (of === "recent") return `${sold} and is_recent(sold_on, as_of_day())`;
  if (of === "year") return `${sold} and sold_on between year_start() and year_end()`;
  const entered = allOf([
    ...(of === "entered" ? binding.between("entered_on", span) : []),
    ...(channel === null ? [] : [binding.is("channel", channel)]),
  ]);
  return `select integration_id, order_id from sales where ${store} and customer_no in (
    select customer_no from product_entries where ${store} and product_id in (${products}) and ${entered})`;
}
