import type { KeptTables } from "../contract/endpoint.ts";
import { bytesIn } from "../files/bytesIn.ts";
import { identifier, type Session } from "./database.ts";
import { materializeMacro } from "./macros.ts";

/** What is kept of a relation; all of it if nothing is said. Both are lists of columns. */
interface KeptRows {
  /** Those that kept plans read: the others would take most of the time and memory of a relation with a row per order. */
  readonly columns?: string;
  /** Those by which kept plans add up its numbers: rows that do not differ in these are one. Its texts are read by no kept plan, and null. */
  readonly by?: string;
}

/** A table macro that depends on no parameter. */
interface KeptMacro extends KeptRows {
  readonly reads: readonly string[];
}

/** What kept plans read. */
interface Kept {
  readonly relations: Readonly<Record<string, KeptRows>>;
  readonly macros: Readonly<Record<string, KeptMacro>>;
}

/** Of the envelope, which plans of every kind read. */
const ENVELOPE: Kept = {
  relations: { integrations: {}, margin: {}, organization: {} },
  macros: { account_days: { reads: ["integrations", "landed_records"] } },
};

/** Each kind has tables of its own. A test compares them with the plans. */
const KEPT: Readonly<Record<KeptTables, Kept>> = {
  days: {
    relations: {
      ...ENVELOPE.relations,
      daily_cohorts: { by: "first_on, first_month, month_no" },
      daily_paybacks: {},
      daily_totals: {},
    },
    macros: {
      ...ENVELOPE.macros,
      dated_orders: {
        reads: ["orders"],
        by: "ordered_on, previous_on, acquired_on, branded_on, is_monetized, previous_monetized_on",
      },
    },
  },
  products: {
    relations: {
      ...ENVELOPE.relations,
      daily_totals: {},
      orders: { columns: "ordered_on, first_on, previous_on, revenue" },
      product_categories: {},
      product_entries: {},
      product_identities: {},
      product_items: {},
      product_sales: {
        columns:
          "integration_id, product_id, order_id, sold_at, sold_on, customer_no, is_recurring, coupon, units, returned_units, units_with_value, units_with_cost, gross_value, net_value, kept_cost, margin_units, margin_value, margin_cost",
      },
      product_stores: {},
      sales: { columns: "integration_id, sold_on, customer_no, product_ids, purchased_at" },
      site_items: {},
    },
    macros: ENVELOPE.macros,
  },
  profit: {
    relations: { ...ENVELOPE.relations, cost_rules: {}, daily_profit_amounts: {}, media_spend: {}, unknown_units: {} },
    macros: ENVELOPE.macros,
  },
};
export const KINDS = Object.keys(KEPT) as readonly KeptTables[];

/** The relations whose rows are kept. */
export function keptRelations(tables: KeptTables): string[] {
  const { relations, macros } = KEPT[tables];
  return [...new Set([...Object.keys(relations), ...Object.values(macros).flatMap(({ reads }) => reads)])];
}

/** The bytes of the files of what is kept. */
export function keptBytes(folder: string, tables: KeptTables): Promise<number> {
  const relations = keptRelations(tables);
  return bytesIn(folder, (file) => relations.includes(file.split(".")[0] ?? ""));
}

/** Creates the tables in a session that reads the files. */
export async function loadTables(session: Session, tables: KeptTables): Promise<void> {
  const { relations, macros } = KEPT[tables];
  for (const [macro, rows] of Object.entries(macros))
    await materializeMacro(session, macro, await selected(session, `${identifier(macro)}()`, rows));
  for (const [name, rows] of Object.entries(relations)) {
    await session.run(`create temp table ${name} as ${await selected(session, `main.${name}`, rows)}`);
    if (name.startsWith("daily_")) await narrow(session, name);
  }
  // Compresses the tables, which take eight times as much otherwise.
  await session.run("checkpoint temp");
}

/** The rows to keep of a relation. */
async function selected(session: Session, relation: string, { columns, by }: KeptRows): Promise<string> {
  if (by === undefined) return `select ${columns ?? "*"} from ${relation}`;
  const kept = (await session.columns(`from ${relation}`)).map(({ name, type }) => {
    const column = identifier(name);
    if (by.split(", ").includes(name)) return column;
    if (type.startsWith("DECIMAL")) return `sum(${column}) as ${column}`;
    return type === "VARCHAR" ? `null::varchar as ${column}` : `sum(${column})::${type} as ${column}`;
  });
  return `select ${kept.join(", ")} from ${relation} group by ${by} order by ${by}`;
}

/** Makes a table's amounts of at most 18 digits where they fit: sums of these are the same and take half the time. */
async function narrow(session: Session, table: string): Promise<void> {
  const amounts = (await session.columns(`from ${table}`)).filter(({ type }) => type === "DECIMAL(38,6)");
  const fit = amounts.map(({ name }) => `bool_and(abs(${identifier(name)}) < 1000000000000)`);
  const [fits = []] = await session.textColumns(`select unnest([${fit.join(", ")}])::varchar from ${table}`);
  const narrowed = amounts.filter((_, no) => fits[no] === "true").map(({ name }) => identifier(name));
  const columns = narrowed.map((column) => `${column}::decimal(18, 6) as ${column}`).join(", ");
  if (columns)
    await session.run(`create or replace temp table ${table} as select * replace (${columns}) from ${table}`);
}
