import fc from "fast-check";
import { CHANNELS } from "../../src/core/contract/channel.ts";
import type { CostItem, CostRule } from "../../src/core/contract/settings.ts";
import type { DataFolder } from "../support/data.ts";
import { writeExports } from "../support/exports.ts";
import { type Account, mostly, oneOf, type Settings, VARIANTS, type World, world } from "../support/world.ts";
import type { CostRecords, Expense, PaymentFee, ProductCost } from "./profitFacts.ts";
import { normalized } from "./text.ts";

/** Random rules and records of costs for a random organization, as its settings and tables have them. */

/** An organization with costs. */
export interface CostedWorld {
  /** With the rules, the margin's items and the integrations that have the tables. */
  readonly world: World;
  /** Rows of the tables; no two of one integration have one key. */
  readonly records: CostRecords;
}

const DAYS = [
  "2024-01-01",
  "2024-12-31",
  "2025-01-15",
  "2025-01-31",
  "2025-02-01",
  "2025-02-28",
  "2025-03-01",
  "2025-03-20",
];
const day = oneOf(...DAYS);
/** One in so many has it. */
const oneIn = <T>(many: number, one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: many - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one });

// ----------------------------------------------------------------------------------------------------------- rules

type AmountName = "percentOfRevenue" | "percentOfItems" | "perOrder" | "perUnit" | "perMonth" | "perDay" | "charged";

const AMOUNTS: Readonly<Record<CostItem, readonly AmountName[]>> = {
  salesTax: ["percentOfRevenue", "percentOfItems", "perOrder"],
  goods: ["percentOfItems"],
  payment: ["percentOfRevenue", "perOrder"],
  shipping: ["percentOfRevenue", "perOrder", "charged"],
  fulfilment: ["percentOfRevenue", "perOrder", "perUnit"],
  commission: ["percentOfRevenue", "percentOfItems", "perOrder"],
  other: ["percentOfRevenue", "percentOfItems", "perOrder", "perUnit"],
  fixed: ["perMonth", "perDay"],
};
const ITEMS = Object.keys(AMOUNTS) as CostItem[];

const PAYMENTS = [
  "PIX",
  "pix",
  "creditCard",
  "CREDITCARD",
  "Visa",
  "boleto_bancário",
  "Boleto%20Banc%C3%A1rio",
  "shopify_payments",
  "Shopify Payments",
  "cartão loja",
  "giftCard",
  "gift+card",
  "cash",
];

const ruleSpec = fc.record({
  item: oneOf<CostItem>(...ITEMS, "goods", "goods"),
  amount: fc.nat({ max: 3 }),
  isNone: mostly(false, false, true),
  percent: oneOf(0, 3.99, 7.3, 12.345678, 55, 100),
  money: oneOf(0, 0.4, 3.2, 18.5, 0.000001, 3100),
  name: oneIn(2, oneOf("Simples", "Cartão", "simples", "Frete fixo")),
  from: oneIn(3, day),
  until: oneIn(3, day),
  store: oneIn(4, fc.nat({ max: 2 })),
  channel: oneIn(8, oneOf(...CHANNELS)),
  payment: oneIn(4, oneOf(...PAYMENTS)),
});
type RuleSpec = typeof ruleSpec extends fc.Arbitrary<infer T> ? T : never;

function ruleOf(it: RuleSpec, stores: readonly Account[]): CostRule {
  const { item, name, store, channel, payment: paymentMethod } = it;
  const names = AMOUNTS[item];
  const amount = names[it.amount % names.length] as AmountName;
  const value = amount === "charged" ? true : amount.startsWith("percent") ? it.percent : it.money;
  const [from, until] = it.from && it.until && it.from > it.until ? [it.until, it.from] : [it.from, it.until];
  const where = {
    ...(store === undefined ? {} : { integrationId: (stores[store % stores.length] as Account).id }),
    ...(channel === undefined ? {} : { channel }),
    ...(paymentMethod === undefined ? {} : { paymentMethod }),
  };
  return {
    item,
    ...(name === undefined ? {} : { name }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...(item === "fixed" || Object.keys(where).length === 0 ? {} : { where }),
    ...(it.isNone ? { none: true } : { [amount]: value }),
  };
}

// --------------------------------------------------------------------------------------------------------- records

/** How a row names its store: mostly by the id. */
const storeForm = mostly("id", "id", "name", "nothing", "otherName", "unknown", "account");
const currency = mostly<string | null>(null, "BRL", "USD");
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((cents) => (cents / 100).toFixed(2)) },
  { weight: 1, arbitrary: oneOf("0", "0.00", "0.01", "12.345678", "1000") },
);
const signed = fc
  .tuple(amount, mostly(false, false, true))
  .map(([text, isCredit]) => (isCredit && Number(text) !== 0 ? `-${text}` : text));

const rowSpec = { finance: fc.nat({ max: 1 }), store: fc.nat({ max: 2 }), storeForm, currency };

const productCostSpec = fc.record({
  ...rowSpec,
  sku: fc.nat({ max: VARIANTS }),
  named: mostly("sku", "code", "product", "skuNumber", "productNumber", "both"),
  cost: amount,
  validFrom: fc.option(day, { nil: null, freq: 2 }),
});
const expenseSpec = fc.record({
  ...rowSpec,
  ofStore: fc.boolean(),
  start: day,
  days: mostly(1, 2, 3, 28, 31, 45),
  stopMissing: fc.boolean(),
  item: oneOf<Expense["item"]>("salesTax", "payment", "shipping", "fulfilment", "commission", "other", "fixed"),
  amount: signed,
  description: oneOf(null, "Aluguel", "Correios"),
});
const feeSpec = fc.record({
  ...rowSpec,
  order: fc.nat({ max: 80 }),
  named: mostly("id", "gid", "name", "plainName", "unknown"),
  fee: signed,
  date: fc.option(day, { nil: null, freq: 2 }),
});
type RowSpec = Pick<typeof expenseSpec extends fc.Arbitrary<infer T> ? T : never, "finance" | "store" | "storeForm">;

const spec = fc.record({
  world,
  names: fc.array(oneIn(2, oneOf("Loja", "loja", "Outlet do Porto", "Loja+Dois", "loja-dois")), {
    minLength: 3,
    maxLength: 3,
  }),
  finances: mostly(1, 2, 2, 0),
  financesFirst: fc.boolean(),
  rules: fc.option(fc.array(ruleSpec, { maxLength: 20, size: "max" }), { nil: undefined, freq: 8 }),
  productCosts: fc.array(productCostSpec, { maxLength: 14, size: "max" }),
  expenses: fc.array(expenseSpec, { maxLength: 8, size: "max" }),
  fees: fc.array(feeSpec, { maxLength: 20, size: "max" }),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

/** Random organizations with costs. */
export const costedWorld: fc.Arbitrary<CostedWorld> = spec.map(built);

const financeId = (no: number): string => `0000f1f1-0000-4000-8000-00000000000${no}`;

function built(it: Spec): CostedWorld {
  const isStore = ({ connector }: Account): boolean => connector === "storea" || connector === "storeb";
  let no = 0;
  const others = it.world.settings.integrations.map((account): Account => {
    const name = isStore(account) ? it.names[no++] : undefined;
    return name === undefined ? account : { ...account, name };
  });
  const finances = Array.from(
    { length: it.finances },
    (_, at): Account => ({ id: financeId(at), connector: "finance" }),
  );
  const stores = others.filter(isStore);
  const settings: Settings = {
    ...it.world.settings,
    integrations: it.financesFirst ? [...finances, ...others] : [...others, ...finances],
    ...(it.rules ? { costs: it.rules.map((rule) => ruleOf(rule, stores)) } : {}),
  };
  return { world: { ...it.world, settings }, records: recordsOf(it, settings, stores, finances) };
}

function recordsOf(
  it: Spec,
  { integrations }: Settings,
  stores: readonly Account[],
  finances: readonly Account[],
): CostRecords {
  if (finances.length === 0) return { productCosts: [], expenses: [], paymentFees: [] };
  const storeOf = ({ store }: RowSpec): Account => stores[store % stores.length] as Account;
  const financeOf = ({ finance }: RowSpec): string => (finances[finance % finances.length] as Account).id;
  /** A text for the store, and what is meant: rows of one meaning and key are one. */
  const storeNamed = (row: RowSpec): { text: string | null; meant: string } => {
    const { id, name } = storeOf(row);
    const account = integrations.find(({ connector }) => connector === "socialads" || connector === "searchads");
    const sameName = stores.filter((one) => normalized(one.name ?? null) === normalized(name ?? null));
    const ofName = name === undefined || sameName.length > 1 ? "unknown" : id;
    if (row.storeForm === "name") return { text: name ?? null, meant: name === undefined ? onlyOf(stores) : ofName };
    if (row.storeForm === "otherName") return { text: ` ${(name ?? "nobody").toUpperCase()}`, meant: ofName };
    if (row.storeForm === "nothing") return { text: null, meant: onlyOf(stores) };
    if (row.storeForm === "unknown") return { text: "Loja 9", meant: "unknown" };
    if (row.storeForm === "account") return { text: account?.id ?? "Loja 9", meant: "unknown" };
    return { text: id, meant: id };
  };
  return {
    productCosts: distinct(
      it.productCosts.map((row): Keyed<ProductCost> => {
        const { text, meant } = storeNamed(row);
        const goods = goodsNamed(row, storeOf(row));
        const valid = { cost: row.cost, valid_from: row.validFrom, currency: row.currency };
        return {
          row: { finance: financeOf(row), integration_id: text, ...goods.columns, ...valid },
          key: [meant, goods.meant, row.validFrom, row.currency ?? "BRL"],
        };
      }),
    ),
    expenses: distinct(
      it.expenses.map((row): Keyed<Expense> => {
        const { text, meant } = row.ofStore ? storeNamed(row) : { text: null, meant: null };
        const stop = row.stopMissing ? row.start : daysLater(row.start, row.days - 1);
        const { item, description } = row;
        return {
          row: {
            finance: financeOf(row),
            date_start: row.start,
            date_stop: row.stopMissing ? null : stop,
            item,
            amount: row.amount,
            description,
            integration_id: text,
            currency: row.currency,
          },
          // Without a store's name an expense is of no store.
          key: [row.start, stop, item, description, text === null ? null : meant, row.currency ?? "BRL"],
        };
      }),
    ),
    paymentFees: distinct(
      it.fees.map((row): Keyed<PaymentFee> => {
        const { text, meant } = storeNamed(row);
        const orders = it.world.orders.filter(({ store }) => store === storeOf(row).id);
        const id = orders[row.order % Math.max(orders.length, 1)]?.id ?? "77";
        const isB = storeOf(row).connector === "storeb";
        const name = isB ? `L${id}` : id;
        const gid = isB ? `gid://shopify/Order/${id}` : id;
        const forms = { id, gid, name: `#${name}`, plainName: name, unknown: "none" };
        const named = forms[row.named as keyof typeof forms];
        return {
          row: {
            finance: financeOf(row),
            integration_id: text,
            order_id: named,
            fee: row.fee,
            date: row.date,
            currency: row.currency,
          },
          key: [meant, named, row.date, row.currency ?? "BRL"],
        };
      }),
    ),
  };
}

const onlyOf = (stores: readonly Account[]): string => (stores.length === 1 ? (stores[0] as Account).id : "unknown");

/** The columns that name a SKU or a product of a store, and what is meant. */
function goodsNamed(
  { sku, named }: { readonly sku: number; readonly named: string },
  { connector }: Account,
): { readonly columns: Pick<ProductCost, "sku" | "product_id">; readonly meant: string } {
  const isA = connector === "storea";
  const skuId = isA ? `50${sku}` : `gid://shopify/ProductVariant/${4100 + sku}`;
  const productId = isA ? `5${sku}` : `gid://shopify/Product/${8100 + sku}`;
  const last = (id: string): string => id.split("/").at(-1) as string;
  const ofSku = (text: string, meant: string) => ({ columns: { sku: text, product_id: null }, meant });
  const ofProduct = (text: string) => ({ columns: { sku: null, product_id: text }, meant: `product ${sku}` });
  if (named === "code") return ofSku(isA ? `REF-${sku}` : `SKU-${sku}`, `code ${sku}`);
  if (named === "product") return ofProduct(productId);
  if (named === "productNumber") return ofProduct(last(productId));
  if (named === "skuNumber") return ofSku(last(skuId), `sku ${sku}`);
  // The product is another one than the SKU's.
  if (named === "both") return { columns: { sku: skuId, product_id: isA ? "50" : "8100" }, meant: `sku ${sku}` };
  return ofSku(skuId, `sku ${sku}`);
}

const daysLater = (from: string, days: number): string =>
  new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);

interface Keyed<T> {
  readonly row: T;
  readonly key: readonly unknown[];
}

/** The first of the rows of one integration that have one key. */
function distinct<T extends { readonly finance: string }>(all: readonly Keyed<T>[]): T[] {
  const rows = new Map<string, T>();
  for (const { row, key } of all) {
    const text = JSON.stringify([row.finance, ...key]);
    if (!rows.has(text)) rows.set(text, row);
  }
  return [...rows.values()];
}

// ----------------------------------------------------------------------------------------------------------- tables

/** The tables as NDJSON, by their paths below the organization's exports. */
export function tablesOf({ productCosts, expenses, paymentFees }: CostRecords): Map<string, string> {
  const tables = new Map<string, string>();
  const records = { "product-costs": productCosts, expenses, "payment-fees": paymentFees };
  for (const [record, rows] of Object.entries(records)) {
    for (const { finance, ...columns } of rows) {
      const name = `${finance}/${record}/table.ndjson`;
      tables.set(name, `${tables.get(name) ?? ""}${JSON.stringify(columns)}\n`);
    }
  }
  return tables;
}

/** Writes the settings and the exports of one sync; the tables come with the first. */
export async function writeCosted(
  folder: DataFolder,
  { world: it, records }: CostedWorld,
  sync: number,
): Promise<void> {
  await writeExports(folder, it, sync);
  if (sync > 0) return;
  const modified = new Date(Date.parse(it.syncs[0] as string) - 3_600_000);
  for (const [name, content] of tablesOf(records)) {
    await folder.write(`exports/${it.settings.organizationId}/${name}`, content, modified);
  }
}
