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

/** An alternative engine, with tables for this purpose and its own SQL. */
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
 * The names of the statements, which are files in the engine's folder: together their rows are those of the service's
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
    start_date: parameters.startDate ?? null,
    end_date: parameters.endDate ?? null,
    group_by: parameters.groupBy ?? "month",
    break_by: parameters.breakBy ?? null,
    integration_id: parameters.integrationId ?? null,
    product_id: PRODUCT.exec(asked)?.[1] ?? null,
    date_from: parameters.dateFrom ?? null,
    date_to: parameters.dateTo ?? null,
    today: now.slice(0, 10),
    now: now.slice(0, 19).replace("T", " "),
  };
}

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
