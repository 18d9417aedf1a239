import { readFile } from "node:fs/promises";
import path from "node:path";
import { Database } from "../../src/core/engine/database.ts";
import type { Figures, Question } from "../questions.ts";

/** An organization's derived files: the folder of one generation, and the instant of the questions. */
export interface Marts {
  readonly folder: string;
  readonly now: string;
}

/**
 * An answer as it came from the engine. Turning it into figures is only for comparing: it is not part of an answer's
 * time, just as a caller's parsing of the service's JSON is not.
 */
export interface Answer {
  rows(): readonly Figures[];
}

/** An alternative engine, with tables for this purpose. */
export interface Reference {
  readonly name: string;
  version(): Promise<string>;
  load(marts: Marts): Promise<void>;
  answer(question: Question): Promise<Answer>;
  close(): Promise<void>;
}

/** By requested path; a product's own paths by the part after its id. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  "/v1/profitability/cards": ["cards"],
  "/v1/profitability/cohort": ["cohort"],
  "/v1/profitability/cohort?breakBy": ["cohort-of-products"],
  "/v1/profitability/metrics-evolution": ["metrics-evolution"],
  "/v1/acquisition/summary": ["summary"],
  "/v1/products": ["listing", "categories"],
  "/v1/products/:id/series": ["series"],
  "/v1/products/:id": [
    "detail-summary",
    "detail-funnel",
    "detail-entry-cohort",
    "detail-bought-together",
    "detail-retention",
    "detail-purchase-frequency",
    "detail-bought-after",
    "detail-coupons",
    "detail-acquisition-channels",
  ],
};

const PRODUCT = /^\/v1\/products\/([^/]+)(\/series)?$/;

/**
 * The names of the statements, which are files in `questions`: together their rows are those of the service's
 * answer, in order.
 */
export function statementsOf({ path: asked, parameters, name }: Question): readonly string[] {
  const product = PRODUCT.exec(asked);
  const key = product ? `/v1/products/:id${product[2] ?? ""}` : `${asked}${parameters.breakBy ? "?breakBy" : ""}`;
  const statements = STATEMENTS[key];
  if (!statements) throw new Error(`${name}: no statements for ${key}`);
  return statements;
}

/** The named parameters of the statements; null if the request does not have one. */
export function parametersOf(
  { path: asked, parameters }: Question,
  now: string,
): Readonly<Record<string, string | null>> {
  return {
    ...period("start_date", "end_date", parameters.startDate, parameters.endDate),
    ...period("date_from", "date_to", parameters.dateFrom, parameters.dateTo),
    group_by: parameters.groupBy ?? "month",
    break_by: parameters.breakBy ?? null,
    integration_id: parameters.integrationId ?? null,
    product_id: PRODUCT.exec(asked)?.[1] ?? null,
    today: now.slice(0, 10),
    year_from: yearTo(now.slice(0, 10)),
    now: now.slice(0, 19).replace("T", " "),
  };
}

const DAY_MS = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A period, and the one of the same length before it. */
function period(from: string, to: string, first?: string, last?: string): Readonly<Record<string, string | null>> {
  if (!first || !last) return { [from]: null, [to]: null };
  const before = Date.parse(first) - DAY_MS;
  return {
    [from]: first,
    [to]: last,
    [`previous_${from}`]: dayOf(before - Date.parse(last) + Date.parse(first)),
    [`previous_${to}`]: dayOf(before),
  };
}

/** The first day of the twelve months that end on a day. */
function yearTo(last: string): string {
  const after = new Date(Date.parse(last) + DAY_MS);
  return dayOf(after.setUTCFullYear(after.getUTCFullYear() - 1));
}

/** The parameters that are not days. */
const TYPES: Readonly<Record<string, "text" | "timestamp">> = {
  group_by: "text",
  break_by: "text",
  integration_id: "text",
  product_id: "text",
  now: "timestamp",
};

export const typeOf = (parameter: string): "text" | "timestamp" | "date" => TYPES[parameter] ?? "date";

/** A result's figures: lists are the cells of a cohort, each a row of its own. */
export function rowsOf(
  row: Readonly<Record<string, Figures[string] | readonly Figures[string][]>>,
): readonly Figures[] {
  const lists = Object.entries(row).filter((entry): entry is [string, Figures[string][]] => Array.isArray(entry[1]));
  if (lists.length === 0) return [row as Figures];
  return (lists[0]?.[1] ?? []).map((_, step) => ({
    ...(row as Figures),
    step,
    ...Object.fromEntries(lists.map(([name, list]) => [name, list[step] ?? null])),
  }));
}

/**
 * Rows of one figure each become one row: `*` in the name of a column is the figure's name, which is in `figure_name`.
 */
export function figuresInOne(rows: readonly Figures[]): readonly Figures[] {
  if (!rows[0] || !("figure_name" in rows[0])) return rows;
  const named = rows.flatMap(({ figure_name, ...row }) =>
    Object.entries(row).map(([name, figure]) => [name.replace("*", String(figure_name)), figure]),
  );
  return [Object.fromEntries(named)];
}

/** Writes the tables that every reference loads into a folder, one file each. */
export async function writeTables(
  marts: Marts,
  folder: string,
  format: { readonly extension: string; readonly options: string },
): Promise<ReadonlyMap<string, string>> {
  const views = await readFile(new URL("tables.sql", import.meta.url), "utf8");
  const files = new Map<string, string>();
  const database = await Database.open();
  try {
    await database.use(async (session) => {
      await session.run(views.replaceAll("{folder}", marts.folder.replaceAll("'", "''")));
      for (const table of TABLES) {
        const file = path.join(folder, `${table}.${format.extension}`);
        await session.run(`copy loaded.${table} to '${file.replaceAll("'", "''")}' (${format.options})`);
        files.set(table, file);
      }
    });
  } finally {
    database.close();
  }
  return files;
}

/** The views of tables.sql. */
const TABLES = [
  "organization",
  "stores",
  "orders",
  "daily_orders",
  "daily_acquisitions",
  "customer_months",
  "daily_cohorts",
  "daily_spend",
  "daily_site_events",
  "first_purchases",
  "sales",
  "product_sales",
  "product_entries",
  "product_site_days",
  "products",
  "categories",
] as const;
