import { readFile } from "node:fs/promises";
import path from "node:path";
import { Database } from "../../src/engine/database.ts";
import type { Figures, Question } from "../questions.ts";

/** An organization's derived files: the folder of one generation, and the day of the questions. */
export interface Marts {
  readonly folder: string;
  readonly today: string;
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

/** One or more statements that answer a question: together their rows are those of the service's answer, in order. */
export interface Statement {
  /** The file's name in the engine's folder. */
  readonly sql: string;
  /** The file that replaces `{facts}`. */
  readonly facts?: string;
  /** Columns that the service's answer to this question lacks: they are computed, but not compared. */
  readonly without?: readonly string[];
}

/** By requested path; a product's own paths by the part after its id. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  "/v1/profitability/cards": ["cards"],
  "/v1/profitability/cohort": ["cohort"],
  "/v1/profitability/metrics-evolution": ["metrics-evolution"],
  "/v1/acquisition/summary": ["summary"],
  "/v1/products": ["listing", "categories"],
  "/v1/products/:id/series": ["series"],
  "/v1/products/:id": [
    "detail-summary",
    "detail-entry-cohort",
    "detail-bought-together",
    "detail-retention",
    "detail-purchase-frequency",
    "detail-bought-after",
    "detail-coupons",
    "detail-acquisition-channels",
  ],
};

const ONLY_OF_BREAKDOWNS = ["breakKey", "cac", "ltv", "payback"];

const PRODUCT = /^\/v1\/products\/([^/]+)(\/series)?$/;

/** The statements that answer a question, in the order of the answer's rows. */
export function statementsOf({ path: asked, parameters, name }: Question): readonly Statement[] {
  const product = PRODUCT.exec(asked);
  const statements = STATEMENTS[product ? `/v1/products/:id${product[2] ?? ""}` : asked];
  if (!statements) throw new Error(`${name}: no statements for ${asked}`);
  if (asked !== "/v1/profitability/cohort") return statements.map((sql) => ({ sql }));
  const ofLines = ["produto", "categoria"].includes(parameters.breakBy ?? "");
  const facts = ofLines ? "cohort-of-lines" : "cohort-of-customers";
  return statements.map((sql) => ({ sql, facts, without: parameters.breakBy ? [] : ONLY_OF_BREAKDOWNS }));
}

/** The named parameters of the statements; null if the request does not have one. */
export function parametersOf(
  { path: asked, parameters }: Question,
  today: string,
): Readonly<Record<string, string | null>> {
  return {
    start_date: parameters.startDate ?? null,
    end_date: parameters.endDate ?? null,
    view: parameters.view ?? null,
    break_by: parameters.breakBy ?? null,
    integration_id: parameters.integrationId ?? null,
    product_id: PRODUCT.exec(asked)?.[1] ?? null,
    date_from: parameters.dateFrom ?? null,
    date_to: parameters.dateTo ?? null,
    today,
  };
}

/** A reference's SQL file with its includes. */
export async function readStatement(folder: URL, { sql, facts }: Statement): Promise<string> {
  const read = (name: string): Promise<string> => readFile(new URL(`${name}.sql`, folder), "utf8");
  const text = await read(sql);
  if (!facts) return text;
  const put = (await read(facts)).trimEnd();
  return text.replace(/^\{facts\}$/m, () => put);
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
  "order_lines",
  "customers",
  "media_spend",
  "sales",
  "product_sales",
  "product_entries",
  "products",
  "categories",
] as const;
