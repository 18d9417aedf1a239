import type { RecordDeclaration } from "../../contract/record.ts";
import { Sum, times } from "./decimals.ts";
import { ROW_REJECTED } from "./rejects.ts";

type Row = Readonly<Record<string, string>>;

/** What becomes of a row of the table: an order at its first row, or a row that is rejected. */
interface Written {
  readonly position: number;
  readonly row: Row;
  readonly fault?: string;
}

interface Line {
  readonly position: number;
  readonly row: Row;
}

interface Order {
  readonly cells: Record<string, string>;
  readonly lines: Line[];
  fault: string;
}

/** Fields that cannot have two values in the rows of an order; of the others the first value counts. */
const OF_ORDER = ["value", "creation_date", "status", "authorized_date", "invoiced_date", "last_change", "email"];
const ALSO_OF_ORDER = [
  "customer_id",
  "total_items_value",
  "total_discounts",
  "total_shipping",
  "total_tax",
  "currency",
];

const AMOUNT = /^[+-]?\d+(?:\.\d*)?$/;

/** The orders of a table with a row for each product of an order [D230]. */
export class OrderLines {
  readonly #columns: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #orders = new Map<string, Order>();
  readonly #rejected: Written[] = [];

  /** `names`: the columns that are read. */
  constructor(record: RecordDeclaration, names: readonly string[]) {
    this.#columns = new Set(Object.keys(record.lines?.columns ?? {}));
    this.#names = new Set(names);
  }

  /** `fault`: why the row cannot be read. */
  add(position: number, cells: Row, fault: string | undefined): void {
    const row = Object.fromEntries(
      Object.entries(cells).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]])),
    );
    const id = row.order_id;
    if (id === undefined) {
      this.#rejected.push({ position, row, fault: fault ?? "order_id: missing" });
      return;
    }
    const order = this.#orders.get(id) ?? { cells: {}, lines: [], fault: "" };
    this.#orders.set(id, order);
    const reason = fault ?? this.#faultOf(row);
    if (reason !== undefined) {
      order.fault ||= ROW_REJECTED;
      this.#rejected.push({ position, row, fault: reason });
      return;
    }
    this.#take(order, row);
    order.lines.push({
      position,
      row: Object.fromEntries(Object.entries(row).filter(([name]) => this.#columns.has(name))),
    });
  }

  #take(order: Order, row: Row): void {
    for (const [name, text] of Object.entries(row)) {
      if (this.#columns.has(name)) continue;
      const first = order.cells[name];
      if (first === undefined) order.cells[name] = text;
      else if (first.toLowerCase() !== text.toLowerCase() && [...OF_ORDER, ...ALSO_OF_ORDER].includes(name))
        order.fault ||= `${name}: not the same in all rows of the order`;
    }
  }

  /** Why a row is no line of an order. */
  #faultOf({ item_quantity: units, item_price: price, item_total: total, ...row }: Row): string | undefined {
    if (units === undefined) return "item_quantity: missing";
    if (!/^\d{1,9}(?:\.0*)?$/.test(units) || Number(units) === 0)
      return `item_quantity: ${quoted(units)} is not a whole number above 0`;
    if (price === undefined && total === undefined)
      return `${this.#names.has("item_price") ? "item_price" : "item_total"}: missing`;
    const amounts = {
      item_price: price,
      item_total: total,
      item_discount: row.item_discount,
      item_cost: row.item_cost,
    };
    const wrong = Object.entries(amounts).find(([, text]) => text !== undefined && !AMOUNT.test(text));
    if (wrong) return `${wrong[0]}: ${quoted(wrong[1] ?? "")} is not an amount`;
    const negative = Object.entries({ ...amounts, item_discount: undefined }).find(([, text]) => text?.startsWith("-"));
    if (negative) return `${negative[0]}: below 0: a row is a product that was sold`;
    if (row.item_sku === undefined && row.item_product_id === undefined && row.item_name === undefined)
      return "item_sku, item_product_id, item_name: missing";
    return undefined;
  }

  /** The orders and the rows that are rejected, once all rows have been added. Each is given once. */
  *written(): Generator<Written> {
    yield* this.#rejected;
    for (const [id, { cells, lines, fault }] of this.#orders) {
      if (fault === "") {
        const [{ position } = { position: 0 }] = lines;
        yield { position, row: this.#orderOf(id, cells, lines) };
      } else for (const { position, row } of lines) yield { position, row: { order_id: id, ...row }, fault };
    }
  }

  #orderOf(id: string, cells: Row, lines: readonly Line[]): Row {
    const sums = { value: new Sum(), items: new Sum(), discounts: new Sum() };
    let hasPrices = true;
    const items = lines.map(({ row }, at) => {
      const units = Number(row.item_quantity);
      const { item_price: price, item_discount: discount = "0" } = row;
      const before = price === undefined ? undefined : times(price, units);
      const off = discount.replace(/^[+-]/, "");
      const amount = row.item_total ?? differenceOf(before ?? "0", off);
      hasPrices &&= before !== undefined;
      sums.value.add(amount);
      sums.items.add(before ?? "0");
      sums.discounts.add(`-${off}`);
      const code = row.item_sku ?? row.item_product_id ?? row.item_name;
      return {
        item_no: String(at),
        unique_id: `${id}#${at + 1}`,
        id: code,
        product_id: row.item_product_id ?? code,
        store_code: row.item_sku,
        name: row.item_name,
        quantity: String(units),
        price,
        line_total: amount,
        cost_price: row.item_cost,
      };
    });
    for (const name of ["total_shipping", "total_tax"]) sums.value.add(cells[name] ?? "0");
    // A discount of the whole order is in none of its lines.
    if (!this.#names.has("item_discount") && !this.#names.has("item_total"))
      sums.value.add(`-${(cells.total_discounts ?? "0").replace(/^[+-]/, "")}`);
    return {
      ...(this.#names.has("value") ? {} : { value: String(sums.value) }),
      ...(this.#names.has("total_items_value") || !hasPrices ? {} : { total_items_value: String(sums.items) }),
      ...(this.#names.has("total_discounts") || !this.#names.has("item_discount")
        ? {}
        : { total_discounts: String(sums.discounts) }),
      ...cells,
      // Without invoices of its own a sale is dated by its payment.
      ...(this.#names.has("invoiced_date") || cells.authorized_date === undefined
        ? {}
        : { invoiced_date: cells.authorized_date }),
      items: JSON.stringify(items),
    };
  }
}

function differenceOf(amount: string, less: string): string {
  const sum = new Sum();
  sum.add(amount);
  sum.add(`-${less}`);
  return String(sum);
}

/** A value within a reason: of a long one its beginning. */
const quoted = (text: string): string => `"${text.slice(0, 60)}"`;
