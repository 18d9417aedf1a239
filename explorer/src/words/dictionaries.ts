import { acquisition } from "./acquisition.ts";
import { customers } from "./customers.ts";
import { data } from "./data.ts";
import { frame } from "./frame.ts";
import { known } from "./known.ts";
import { overview } from "./overview.ts";
import { products } from "./products.ts";
import { shared } from "./shared.ts";
import { sql } from "./sql.ts";

/** The dictionaries of all parts of the page. Their texts have different names, which a test checks. */
export const DICTIONARIES = { acquisition, customers, data, frame, known, overview, products, shared, sql };

/**
 * The same texts without inherited names: the page looks texts up by names that come from data and addresses, and
 * `constructor` is none of them.
 */
function bare<T>(texts: T): T {
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return texts;
  const entries = Object.entries(texts).map(([name, text]) => [name, bare(text)] as const);
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as T;
}

export const pt = bare({
  ...shared.pt,
  ...frame.pt,
  ...known.pt,
  ...overview.pt,
  ...acquisition.pt,
  ...customers.pt,
  ...products.pt,
  ...data.pt,
  ...sql.pt,
});
export const en: typeof pt = bare({
  ...shared.en,
  ...frame.en,
  ...known.en,
  ...overview.en,
  ...acquisition.en,
  ...customers.en,
  ...products.en,
  ...data.en,
  ...sql.en,
});
